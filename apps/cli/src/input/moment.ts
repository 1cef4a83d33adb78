import { UsageError } from '../errors.ts'
import { parseDuration } from './duration.ts'

const ABSOLUTE = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(Z|[+-]\d{2}:\d{2})$/i

/**
 * Reads a moment: `2026-12-31T00:00Z` with its zone, `3d` or `in 7 days` from now on, or `never`.
 * @param nowSec the clock that decides, which is the chain's
 * @returns unix seconds; 0 for `never`
 * @throws UsageError, also for a moment in the past
 */
export function parseMoment(text: string, option: string, nowSec: bigint): bigint {
  const source = text.trim()
  if (source.toLowerCase() === 'never') return 0n
  const moment = /^\d{4}-/.test(source)
    ? parseAbsolute(source, option)
    : nowSec + parseDuration(source.replace(/^in\s+/i, ''), option)
  if (moment <= nowSec) {
    throw new UsageError(
      `${option}: ${source} is not after the chain's clock, ${new Date(Number(nowSec) * 1000).toISOString()}.`,
      'Name a moment in the future.',
    )
  }
  return moment
}

function parseAbsolute(source: string, option: string): bigint {
  const match = ABSOLUTE.exec(source)
  if (match === null) {
    throw new UsageError(
      `${option}: ${JSON.stringify(source.slice(0, 80))} is no moment with a zone.`,
      'Write it like 2026-12-31T00:00Z or 2026-12-31T01:00+01:00, or as a length of time from now such as "3d".',
    )
  }
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', zone = ''] = match
  const milliseconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone.toUpperCase()}`)
  // Date.parse moves 31 April to 1 May; a date that does not exist is a mistake, not another date
  const days = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (Number.isNaN(milliseconds) || days.getUTCMonth() !== Number(month) - 1 || days.getUTCDate() !== Number(day)) {
    throw new UsageError(`${option}: ${source} does not exist.`, 'Check the calendar and the clock time.')
  }
  return BigInt(milliseconds) / 1000n
}
