import { readDecimal, writeDecimal } from '@oikos/core'
import { OikosError } from '../errors/oikos-error.ts'
import { type Asset, isNativeAsset } from './asset.ts'

/** A text is not an exact amount of the asset. */
export class AmountFormatError extends OikosError {
  override readonly name = 'AmountFormatError'
  readonly got: string

  constructor(got: string, problem: string, advice: string) {
    super(`Amount ${JSON.stringify(got.slice(0, MAX_AMOUNT_LENGTH))}: ${problem}`, { advice })
    this.got = got
  }
}

/** Longest text that is read as an amount: 78 digits before and 36 behind the point, a unit of 24, and spaces. */
const MAX_AMOUNT_LENGTH = 150

const AMOUNT_TEXT = /^(\S+)\s+(\S+)$/

/**
 * Reads an exact amount with its unit: `1.5 ETH`, `250 USDC`, `3 wei`, `2 gwei`, `17 atomic`.
 *
 * The unit is the asset's symbol in any case, or `atomic` for its smallest unit; the native currency also has `wei` and
 * `gwei`. There is no default unit, no rounding, no grouping, no sign and no scientific notation.
 * @returns the amount in the smallest unit, from 0 to 2^256 - 1
 * @throws {@link AmountFormatError} for every other text, excess precision included
 */
export function parseAmount(text: string, asset: Asset): bigint {
  const fail = (problem: string, advice: string): never => {
    throw new AmountFormatError(text, problem, advice)
  }
  const example = `Write it like "${asset.decimals === 0 ? '12' : '1.5'} ${asset.symbol}".`
  const [, number = '', unit = ''] = (text.length > MAX_AMOUNT_LENGTH ? null : AMOUNT_TEXT.exec(text.trim())) ?? []
  const decimals = decimalsOfUnit(unit, asset)
  const read = readDecimal(number, decimals ?? 0)
  if (!read.ok && read.fault === 'no-decimal')
    return fail('got no plain decimal number with a unit behind it.', example)
  if (decimals === undefined) return fail(`the unit ${unit} is not one of ${asset.symbol}.`, example)
  if (read.ok) return read.atomic
  return read.fault === 'too-large'
    ? fail('it is more than 2^256 - 1 smallest units.', 'Write a smaller amount.')
    : fail(`it has ${read.got} decimals, but ${unit} has ${decimals}.`, 'Write fewer decimals; nothing is rounded.')
}

function decimalsOfUnit(unit: string, asset: Asset): number | undefined {
  const name = unit.toLowerCase()
  if (name === asset.symbol.toLowerCase()) return asset.decimals
  if (name === 'atomic') return 0
  if (!isNativeAsset(asset)) return undefined
  if (name === 'wei') return 0
  return name === 'gwei' ? asset.decimals - 9 : undefined
}

/**
 * Writes an amount exactly, without trailing zeros: `1.5 ETH`. {@link parseAmount} reads it back.
 * @param amountAtomic smallest units, not negative
 */
export function formatAmount(amountAtomic: bigint, asset: Asset): string {
  return `${formatDecimal(amountAtomic, asset.decimals)} ${asset.symbol}`
}

/**
 * Reads a plain decimal number exactly. Trailing zeros beyond the decimals are excess precision too: `1.0000000` is refused
 * for six decimals.
 * @returns the number in units of 10^-decimals, from 0 to 2^256 - 1; undefined for every other text
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const read = readDecimal(text.trim(), decimals)
  return read.ok ? read.atomic : undefined
}

/** The number of {@link formatAmount} without its unit. Throws RangeError for a negative amount. */
export function formatDecimal(amountAtomic: bigint, decimals: number): string {
  return writeDecimal(amountAtomic, decimals)
}
