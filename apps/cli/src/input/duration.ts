import { UsageError } from '../errors.ts'

const UNITS: Readonly<Record<string, bigint>> = {
  s: 1n,
  sec: 1n,
  second: 1n,
  seconds: 1n,
  m: 60n,
  min: 60n,
  minute: 60n,
  minutes: 60n,
  h: 3_600n,
  hour: 3_600n,
  hours: 3_600n,
  d: 86_400n,
  day: 86_400n,
  days: 86_400n,
  w: 604_800n,
  week: 604_800n,
  weeks: 604_800n,
}

const PART = /(0|[1-9][0-9]{0,17})\s*([a-z]+)/y

/** Longest text that is read as a duration, in characters. */
const MAX_LENGTH = 80

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
  const source = text.trim().toLowerCase()
  const total = source.length > MAX_LENGTH ? undefined : sumParts(source)
  if (total === undefined || total > MAX_DURATION_SEC) {
    throw new UsageError(
      `${option}: ${JSON.stringify(text.slice(0, MAX_LENGTH))} is no length of time.`,
      'Write whole numbers with units from seconds to weeks, such as "3d", "7 days" or "1h 30m".',
    )
  }
  return total
}

function sumParts(source: string): bigint | undefined {
  let total = 0n
  let position = 0
  const used = new Set<bigint>()
  while (position < source.length) {
    PART.lastIndex = position
    const match = PART.exec(source)
    const unit = match === null ? undefined : UNITS[match[2] ?? '']
    if (match === null || unit === undefined || used.has(unit)) return undefined
    used.add(unit)
    total += BigInt(match[1] ?? '0') * unit
    position = PART.lastIndex
    while (source[position] === ' ' || source[position] === ',') position += 1
  }
  return source === '' ? undefined : total
}
