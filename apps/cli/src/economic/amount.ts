import type { Rail } from '@oikos/core/economic'
import { formatDecimal } from '@oikos/sdk'

/** Symbol and decimals of the native asset of each rail. */
const NATIVE: Readonly<Record<Rail, { readonly symbol: string; readonly decimals: number }>> = {
  evm: { symbol: 'ETH', decimals: 18 },
  solana: { symbol: 'SOL', decimals: 9 },
  bitcoin: { symbol: 'BTC', decimals: 8 },
}

/** An exact amount of the native asset of a rail, `0.5 SOL`; in smallest units where the rail is not known. */
export function nativeAmount(amountAtomic: bigint, rail: Rail | undefined): string {
  if (rail === undefined) return `${amountAtomic} atomic`
  const { symbol, decimals } = NATIVE[rail]
  return `${formatDecimal(amountAtomic, decimals)} ${symbol}`
}
