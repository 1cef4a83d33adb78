const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['week', 604_800],
  ['weeks', 604_800],
  ...UNITS.flatMap(([name, seconds]) => [[name, seconds] as const, [`${name}s`, seconds] as const]),
])

const DURATION_TEXT = /^[1-9][0-9]{0,12} [a-z]+(?: [1-9][0-9]{0,12} [a-z]+)*$|^0 seconds$/
const MOMENT_TEXT = /^(\d{4,5})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?Z)?$/

/** Characters of a duration: five parts. */
const MAX_DURATION_CHARACTERS = 100

/**
 * Reads `7 days` or `1 day 12 hours`: whole numbers with units from seconds to weeks, written out, each once.
 * Undefined for every other text; months and years have no fixed length.
 * @returns seconds
 */
export function readDuration(text: string): number | undefined {
  if (text.length > MAX_DURATION_CHARACTERS || !DURATION_TEXT.test(text)) return undefined
  const words = text.split(' ')
  const used = new Set<number>()
  let total = 0
  for (let index = 0; index < words.length; index += 2) {
    const unit = SECONDS.get(words[index + 1] ?? '')
    if (unit === undefined || used.has(unit)) return undefined
    used.add(unit)
    total += Number(words[index]) * unit
  }
  return Number.isSafeInteger(total) ? total : undefined
}

/** Writes seconds as {@link readDuration} reads them, from days down. */
export function writeDuration(seconds: number): string {
  const parts: string[] = []
  let rest = seconds
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
  }
  return parts.length === 0 ? '0 seconds' : parts.join(' ')
}

/** Reads a moment in UTC: `2027-01-31` or `2027-01-31T12:00:00Z`. Undefined for other texts and dates that do not exist. */
export function readMoment(text: string): number | undefined {
  const match = MOMENT_TEXT.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match
  const parts = [year, month, day, hour, minute, second].map(Number)
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = parts
  const date = new Date(0)
  date.setUTCFullYear(y, m - 1, d)
  date.setUTCHours(h, min, s)
  const isReal =
    date.getUTCMonth() === m - 1 && date.getUTCDate() === d && date.getUTCHours() === h && min < 60 && s < 60
  return isReal ? date.getTime() / 1000 : undefined
}

/** Writes a second as {@link readMoment} reads it. Years beyond 9999 have five digits. */
export function writeMoment(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z').replace(/^\+0/, '')
}
