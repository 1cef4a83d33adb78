import type { ReactElement } from 'react'

/** An asset as the index names it; its symbol is a claim of its contract. */
export type ShownAsset = { readonly symbol: string; readonly decimals: number }

/** Groups of three digits with a thin space that does not break. */
function grouped(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')
}

/**
 * An amount as people read it: cut, never rounded up, to six significant decimals. What is cut is shown by `…`, and the whole
 * amount is in the title and in copies.
 */
export function formatShown(amountAtomic: bigint, { decimals }: ShownAsset): { shown: string; exact: string } {
  const sign = amountAtomic < 0n ? '−' : ''
  const digits = (amountAtomic < 0n ? -amountAtomic : amountAtomic).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const leading = /^0*/.exec(fraction)?.[0].length ?? 0
  const kept = fraction.slice(0, whole === '0' ? leading + 6 : 6)
  const exact = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
  const isCut = kept.length < fraction.length
  const shown = `${sign}${grouped(whole)}${kept === '' ? '' : `.${kept}`}${isCut ? '…' : ''}`
  return { shown, exact }
}

/** An amount with its unit. */
export function Amount({ value, asset }: { value: bigint | string; asset: ShownAsset }): ReactElement {
  const { shown, exact } = formatShown(BigInt(value), asset)
  return (
    <data className="number" value={exact} title={`${exact} ${asset.symbol}`}>
      {shown} {asset.symbol}
    </data>
  )
}
