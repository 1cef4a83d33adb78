/** Digits behind the point that are kept; a number with more is refused. */
const SCALE = 9
const UNIT = 10n ** BigInt(SCALE)

/** A decimal number, exact, as a multiple of 10^-9. */
export type Decimal = bigint & { readonly __unit: 'nano' }

/** Reads digits with at most one point and nine digits behind it; undefined for anything else. */
export function readDecimal(text: string): Decimal | undefined {
  const match = /^(-?)([0-9]{1,30})(?:\.([0-9]{1,9}))?$/.exec(text.trim())
  if (match === null) return undefined
  const [, sign = '', whole = '0', fraction = ''] = match
  const size = BigInt(whole) * UNIT + BigInt(fraction.padEnd(SCALE, '0'))
  return (sign === '-' ? -size : size) as Decimal
}

/** Writes a decimal without needless zeros, with at least so many digits behind the point. */
export function writeDecimal(value: Decimal, digits = 0): string {
  const size = value < 0n ? -value : value
  const fraction = (size % UNIT).toString().padStart(SCALE, '0').replace(/0+$/, '').padEnd(digits, '0')
  return `${value < 0n ? '-' : ''}${size / UNIT}${fraction === '' ? '' : `.${fraction}`}`
}

/** The sum of decimals, exact. */
export function sumOf(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => sum + value, 0n) as Decimal
}

/** A product, rounded half away from zero to so many digits behind the point. */
export function multiplyHalfUp(left: Decimal, right: Decimal, digits: number): Decimal {
  return roundHalfUp((left * right) / UNIT, digits)
}

/** Rounds half away from zero to so many digits behind the point. */
function roundHalfUp(value: bigint, digits: number): Decimal {
  const step = 10n ** BigInt(SCALE - digits)
  const size = value < 0n ? -value : value
  const rounded = ((size + step / 2n) / step) * step
  return (value < 0n ? -rounded : rounded) as Decimal
}

/** A part of a whole in percent, rounded half up; undefined where the whole is not positive. */
export function percentHalfUp(part: Decimal, whole: Decimal): number | undefined {
  if (whole <= 0n || part < 0n) return undefined
  return Number((part * 200n + whole) / (whole * 2n))
}
