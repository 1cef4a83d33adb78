import { type Rail, U64_MAX } from '@oikos/core/economic'
import { AmountFormatError, formatDecimal, parseDecimal } from '@oikos/sdk'

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

const AMOUNT = /^([0-9]{1,30}(?:\.[0-9]{1,30})?)\s*([A-Za-z]{1,10})$/

/**
 * Reads an exact amount of the native asset of a rail with its unit, `0.5 SOL` or `17 atomic`. Throws AmountFormatError for
 * every other text, more decimals than the asset has, and more than 64 bits hold.
 */
export function parseNativeAmount(text: string, rail: Rail): bigint {
  const { symbol, decimals } = NATIVE[rail]
  const advice = `Write it like "0.5 ${symbol}" or "17 atomic".`
  const [, digits = '', unit = ''] = AMOUNT.exec(text.trim()) ?? []
  const isAtomic = unit.toLowerCase() === 'atomic'
  const amount = isAtomic || unit.toUpperCase() === symbol ? parseDecimal(digits, isAtomic ? 0 : decimals) : undefined
  if (amount === undefined) throw new AmountFormatError(text, `it is no exact amount of ${symbol}.`, advice)
  if (amount > U64_MAX) throw new AmountFormatError(text, 'a payment moves at most 2^64 - 1 smallest units.', advice)
  return amount
}
