import type { Token } from '@oikos/indexer/rest'
import type { ReactElement } from 'react'
import { Amount } from './amount.tsx'
import { plainLine } from './plain.ts'

/** An amount of a token of the index; what the token does not say about itself is shown as smallest units. */
export function TokenAmount({ value, token }: { value: string | null; token: Token | null }): ReactElement {
  if (value === null) return <span className="soft">–</span>
  return (
    <Amount
      value={value}
      asset={{ symbol: symbolOf(token), decimals: isNative(token) ? 18 : (token?.decimals ?? 0) }}
    />
  )
}

/** The currency of a chain, as the index names it. Source: ERC-8414, TenderTerms.asset. */
export function isNative(token: Token | null): boolean {
  return token !== null && /^0x0{40}$/.test(token.address)
}

/** The symbol of a token, a claim of its contract, as one harmless word. */
export function symbolOf(token: Token | null): string {
  if (isNative(token)) return 'ETH'
  return token?.symbol === undefined || token.symbol === null ? 'units' : plainLine(token.symbol, 16)
}
