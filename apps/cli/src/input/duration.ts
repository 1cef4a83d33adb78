import { readDurationSec } from '@oikos/core'
import { UsageError } from '../errors.ts'

/** Characters of a refused text that are shown. */
const SHOWN_CHARACTERS = 80

/** Longest duration: the contract keeps 64 bits, and the sum with a moment must fit as well. */
const MAX_DURATION_SEC = 1n << 62n

/**
 * Reads a length of time as people write it: `3d`, `7 days`, `1h 30m`, `45 seconds`. Whole numbers with a unit from
 * seconds to weeks; months and years have no fixed length and are refused.
 * @param option name of the option, for the message
 * @returns seconds
 * @throws UsageError
 */
export function parseDuration(text: string, option: string): bigint {
  const total = readDurationSec(text, 'short')
  if (total !== undefined && total <= MAX_DURATION_SEC) return total
  throw new UsageError(
    `${option}: ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))} is no length of time.`,
    'Write whole numbers with units from seconds to weeks, such as "3d", "7 days" or "1h 30m".',
  )
}
