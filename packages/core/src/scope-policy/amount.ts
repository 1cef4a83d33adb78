import { readDecimal, writeDecimal } from '../quantity/index.ts'

/** The unit of amounts: a symbol as documents write it, and its decimals. */
export type AmountUnit = { readonly symbol: string; readonly decimals: number }

/** The amount, or what is wrong with the text. */
export type ReadAmount =
  | { readonly ok: true; readonly atomic: bigint }
  | { readonly ok: false; readonly problem: string }

const AMOUNT_TEXT = /^([0-9.]{1,120})(?: +(\S{1,64}))?$/

/**
 * Reads `50000 USDC`, or `50000` where the asset is plain from the place. No rounding, no grouping, no sign, no exponent.
 * @returns the amount in the smallest unit
 */
export function readAmount(text: string, unit: AmountUnit): ReadAmount {
  const [, number = '', symbol = unit.symbol] = AMOUNT_TEXT.exec(text) ?? []
  const read = readDecimal(number, unit.decimals)
  if (!read.ok && read.fault === 'no-decimal') {
    const example = `${unit.decimals === 0 ? '12' : '1.5'} ${unit.symbol}`
    return { ok: false, problem: `no plain amount; write it like "${example}"` }
  }
  if (symbol !== unit.symbol) return { ok: false, problem: `the unit is ${symbol}, expected ${unit.symbol}` }
  if (read.ok) return read
  const problem =
    read.fault === 'too-large'
      ? 'more than 2^256 - 1 smallest units'
      : `${read.got} decimals, but ${unit.symbol} has ${unit.decimals}; nothing is rounded`
  return { ok: false, problem }
}

/** Writes an amount exactly, without trailing zeros: `50000 USDC`. {@link readAmount} reads it back. */
export function writeAmount(atomic: bigint, { symbol, decimals }: AmountUnit): string {
  return `${writeDecimal(atomic, decimals)} ${symbol}`
}

/** Writes an amount for people to read, with commas between groups of three digits: `50,000 USDC`. */
export function describeAmount(atomic: bigint, { symbol, decimals }: AmountUnit): string {
  const [whole = '', fraction] = writeDecimal(atomic, decimals).split('.')
  const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`} ${symbol}`
}
