/** Largest amount that a contract holds. */
const MAX_AMOUNT = (1n << 256n) - 1n

/** Longest text that is read as a number: 78 digits before the point, 36 behind it, and what people add. */
const MAX_DECIMAL_CHARACTERS = 150

const DECIMAL_TEXT = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/

/** A number in units of 10^-decimals, or why a text is none. */
export type ReadDecimal =
  | { readonly ok: true; readonly atomic: bigint }
  | { readonly ok: false; readonly fault: 'no-decimal' }
  | { readonly ok: false; readonly fault: 'too-large' }
  /** More places behind the point than there are, zeros counted as well; `got` is how many. */
  | { readonly ok: false; readonly fault: 'too-precise'; readonly got: number }

/**
 * Reads a plain decimal number exactly: no rounding, no grouping, no sign, no exponent, no leading zeros and no spaces.
 * Every amount that this project reads goes through here.
 * @returns the number in units of 10^-decimals, from 0 to 2^256 - 1
 */
export function readDecimal(text: string, decimals: number): ReadDecimal {
  const match = text.length > MAX_DECIMAL_CHARACTERS ? null : DECIMAL_TEXT.exec(text)
  if (match === null) return { ok: false, fault: 'no-decimal' }
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) return { ok: false, fault: 'too-precise', got: fraction.length }
  const atomic = BigInt(whole + fraction.padEnd(decimals, '0'))
  return atomic > MAX_AMOUNT ? { ok: false, fault: 'too-large' } : { ok: true, atomic }
}

/**
 * Writes a number of units of 10^-decimals exactly, without trailing zeros; {@link readDecimal} reads it back. Throws
 * RangeError for a negative number.
 */
export function writeDecimal(atomic: bigint, decimals: number): string {
  if (atomic < 0n) throw new RangeError(`an amount is not negative, got ${atomic}`)
  const digits = atomic.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`
}
