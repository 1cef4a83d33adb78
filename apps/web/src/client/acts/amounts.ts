import type { Token } from '@oikos/indexer/rest'
import { type Asset, formatAmount, nativeAsset, parseDecimal } from '@oikos/sdk'
import { getAddress } from 'viem'
import { isNative } from '../parts/token-amount.tsx'
import { FieldError } from './plan.ts'

/** A token of the index as the SDK writes amounts. What a token does not say is written in smallest units. */
export function assetOf(token: Token): Asset {
  if (isNative(token)) return nativeAsset
  return {
    address: getAddress(token.address),
    symbol: token.symbol ?? 'units',
    decimals: token.decimals ?? 0,
    warnings: [],
  }
}

/** Reads what somebody typed as an exact amount above zero. Throws {@link FieldError}. */
export function readAmount(text: string | undefined, asset: Asset): bigint {
  const amount = parseDecimal(text ?? '', asset.decimals)
  if (amount === undefined || amount === 0n)
    throw new FieldError(
      `Write an amount above zero as a plain number with at most ${asset.decimals} decimals, such as 12.5 (${asset.symbol}).`,
    )
  return amount
}

/** As {@link readAmount}; undefined where nothing was typed. */
export function readOptionalAmount(text: string | undefined, asset: Asset): bigint | undefined {
  return text === undefined || text.trim() === '' ? undefined : readAmount(text, asset)
}

/** An amount in a sentence. */
export function inWords(amountAtomic: bigint, asset: Asset): string {
  return formatAmount(amountAtomic, asset)
}
