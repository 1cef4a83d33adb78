import { UsageError } from '../errors.ts'

/**
 * Reads a whole number from `min` to `max`, in digits.
 * @throws UsageError
 */
export function parseWhole(text: string, what: string, range: { min: bigint; max: bigint }): bigint {
  const value = /^(0|[1-9][0-9]{0,77})$/.test(text.trim()) ? BigInt(text.trim()) : undefined
  if (value === undefined || value < range.min || value > range.max) {
    throw new UsageError(
      `${what}: got ${JSON.stringify(text.slice(0, 80))}, expected a whole number from ${range.min} to ${range.max}.`,
      'Write it in digits.',
    )
  }
  return value
}

/** Largest number that a contract field of 64 bits holds. */
export const MAX_UINT64 = (1n << 64n) - 1n
/** Largest number that a contract field of 256 bits holds. */
export const MAX_UINT256 = (1n << 256n) - 1n

/** A count where 0 means unbounded; people write `unlimited`. Throws UsageError. */
export function parseCount(text: string, what: string): bigint {
  if (text.trim().toLowerCase() === 'unlimited') return 0n
  return parseWhole(text, what, { min: 1n, max: MAX_UINT64 })
}

/** The number of a submission. Throws UsageError. */
export function parseSubmissionId(text: string): bigint {
  return parseWhole(text, 'submission', { min: 1n, max: MAX_UINT256 })
}
