/** The unit of amounts: a symbol as documents write it, and its decimals. */
export type AmountUnit = { readonly symbol: string; readonly decimals: number }

/** The amount, or what is wrong with the text. */
export type ReadAmount =
  | { readonly ok: true; readonly atomic: bigint }
  | { readonly ok: false; readonly problem: string }

/** Digits on each side of the point: 2^256 has 78, tokens have at most 36 decimals. */
const AMOUNT_TEXT = /^(0|[1-9][0-9]{0,77})(?:\.([0-9]{1,36}))?(?: +(\S{1,64}))?$/

/**
 * Reads `50000 USDC`, or `50000` where the asset is plain from the place. No rounding, no grouping, no sign, no exponent.
 * @returns the amount in the smallest unit
 */
export function readAmount(text: string, unit: AmountUnit): ReadAmount {
  const match = AMOUNT_TEXT.exec(text)
  if (match === null)
    return {
      ok: false,
      problem: `no plain amount; write it like "${unit.decimals === 0 ? '12' : '1.5'} ${unit.symbol}"`,
    }
  const [, whole = '', fraction = '', symbol = unit.symbol] = match
  if (symbol !== unit.symbol) return { ok: false, problem: `the unit is ${symbol}, expected ${unit.symbol}` }
  if (fraction.length > unit.decimals)
    return {
      ok: false,
      problem: `${fraction.length} decimals, but ${unit.symbol} has ${unit.decimals}; nothing is rounded`,
    }
  return { ok: true, atomic: BigInt(whole + fraction.padEnd(unit.decimals, '0')) }
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

function writeDecimal(atomic: bigint, decimals: number): string {
  const digits = atomic.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`
}
