import { type Asset, formatAmount, formatDecimal } from '@oikos/sdk'

/** Decimals of the shares of every Agent. */
export const SHARE_DECIMALS = 18

/** An amount of shares, exact: `12.5 shares`. */
export function sharesText(sharesAtomic: bigint): string {
  const number = formatDecimal(sharesAtomic, SHARE_DECIMALS)
  return `${number} ${number === '1' ? 'share' : 'shares'}`
}

/** A rate as the price of one share, exact: `1.05 USDC a share`. */
export function priceText(rate: bigint, asset: Asset): string {
  return `${formatAmount(rate, asset)} a share`
}

/** Basis points in percent, exact: `2.5 %`. */
export function bpsText(bps: number | bigint): string {
  return `${formatDecimal(BigInt(bps), 2)} %`
}
