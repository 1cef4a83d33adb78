import { readDurationSec, writeDurationSec } from '../quantity/index.ts'

const MOMENT_TEXT = /^(\d{4,5})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?Z)?$/

/**
 * Reads `7 days` or `1 day 12 hours`: whole numbers with units from seconds to weeks, written out, each once.
 * Undefined for every other text; months and years have no fixed length.
 * @returns seconds
 */
export function readDuration(text: string): number | undefined {
  const total = readDurationSec(text, 'full')
  return total === undefined || total > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(total)
}

/** Writes seconds as {@link readDuration} reads them, from days down. */
export function writeDuration(seconds: number): string {
  return writeDurationSec(BigInt(seconds))
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
