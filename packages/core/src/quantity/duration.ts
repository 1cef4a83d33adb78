/** Units of time that have one length, the longest first. Months and years have none. */
const UNITS = [
  ['week', 604_800n],
  ['day', 86_400n],
  ['hour', 3_600n],
  ['minute', 60n],
  ['second', 1n],
] as const

/** What people write for a unit when they are in a hurry. */
const SHORT_NAMES: Readonly<Record<(typeof UNITS)[number][0], readonly string[]>> = {
  week: ['w'],
  day: ['d'],
  hour: ['h'],
  minute: ['m', 'min'],
  second: ['s', 'sec'],
}

const FULL: ReadonlyMap<string, bigint> = new Map(
  UNITS.flatMap(([name, sec]) => [name, `${name}s`].map((spelled) => [spelled, sec] as const)),
)
const SHORT: ReadonlyMap<string, bigint> = new Map([
  ...FULL,
  ...UNITS.flatMap(([name, sec]) => SHORT_NAMES[name].map((spelled) => [spelled, sec] as const)),
])

/** A part with the units in full and exactly one space, and one as it is typed. */
const FULL_PART = /(0|[1-9][0-9]{0,12}) ([a-z]+)(?: (?=[0-9])|$)/y
const SHORT_PART = /(0|[1-9][0-9]{0,17})\s*([a-z]+)[ ,]*/y

/** Characters of a duration: five parts. */
const MAX_DURATION_CHARACTERS = 100

/**
 * Reads a length of time: whole numbers with units from seconds to weeks, each unit once.
 * @param style `full`: `1 day 12 hours`, written as documents write it, where only `0 seconds` has a zero; `short` also takes
 *   `1h 30m`, any case and commas, as people type it
 * @returns seconds; undefined for every other text
 */
export function readDurationSec(text: string, style: 'full' | 'short'): bigint | undefined {
  if (text.length > MAX_DURATION_CHARACTERS) return undefined
  const source = style === 'short' ? text.trim().toLowerCase() : text
  const [part, units] = style === 'short' ? [SHORT_PART, SHORT] : [FULL_PART, FULL]
  const used = new Set<bigint>()
  let total = 0n
  part.lastIndex = 0
  for (let position = 0; position < source.length; position = part.lastIndex) {
    part.lastIndex = position
    const [, count = '', name = ''] = part.exec(source) ?? []
    const unit = units.get(name)
    if (unit === undefined || used.has(unit)) return undefined
    if (style === 'full' && count === '0' && source !== '0 seconds') return undefined
    used.add(unit)
    total += BigInt(count) * unit
  }
  return used.size === 0 ? undefined : total
}

/** A length of time by its units from days down, `2 days`, `3 hours`; nothing for zero seconds. */
export function durationParts(lengthSec: bigint): string[] {
  const parts: string[] = []
  let rest = lengthSec
  for (const [name, sec] of UNITS) {
    if (name === 'week') continue // a reader divides seven days faster than weeks are added up
    const count = rest / sec
    rest %= sec
    if (count !== 0n) parts.push(`${count} ${name}${count === 1n ? '' : 's'}`)
  }
  return parts
}

/** A length of time in full, as `2 days 3 hours`; {@link readDurationSec} reads it back. */
export function writeDurationSec(lengthSec: bigint): string {
  const parts = durationParts(lengthSec)
  return parts.length === 0 ? '0 seconds' : parts.join(' ')
}
