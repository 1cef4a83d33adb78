import { type Asset, parseDecimal } from '@oikos/sdk'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { SHARE_DECIMALS } from '../output/equity.ts'
import { parseAssetAmount } from './asset.ts'

/**
 * Reads an amount of shares: `12.5 shares`, or with the symbol of the share.
 * @returns smallest units, of which one share has 1e18
 * @throws UsageError
 */
export function parseShares(text: string, symbol: string): bigint {
  const match = /^(\S+)\s+(\S+)$/.exec(text.trim())
  const unit = match?.[2]?.toLowerCase()
  const isAtomic = unit === 'atomic'
  const isShares = unit === 'share' || unit === 'shares' || unit === symbol.toLowerCase()
  const amount = isAtomic || isShares ? parseDecimal(match?.[1] ?? '', isAtomic ? 0 : SHARE_DECIMALS) : undefined
  if (amount !== undefined) return amount
  throw new UsageError(
    `${JSON.stringify(text.slice(0, 80))} is no exact amount of shares.`,
    'Write it like "12.5 shares", with at most 18 decimals.',
  )
}

/**
 * Reads a price of one share in the Accept Token: `1.05 USDC`.
 * @returns Accept Token smallest units per share, which is the unit of rates
 * @throws UsageError for zero, AmountFormatError
 */
export function parsePrice(context: Context, text: string, asset: Asset, option: string): bigint {
  const rate = parseAssetAmount(context, text, asset)
  if (rate > 0n) return rate
  throw new UsageError(`${option}: a price of zero is none.`, `Write it like "1.05 ${asset.symbol}".`)
}
