import { createHash } from 'node:crypto'

/** Consumption of one site in one month, kWh. */
export type Reading = { site: string; month: string; dayKwh: number; nightKwh: number }

/** A month whose night share is far from that of the other months of its site; shares from 0 to 1. */
export type Outlier = Reading & { share: number; usualShare: number }

/** What the keeper of a meter wrote down; months as `2025-09`, both included. */
type LogEntry = { from: string; to: string; kind: string; text: string }
type MeterLog = { site: string; meter: string; keeper: string; entries: readonly LogEntry[] }

/** How far a share may be from the usual one: ten points, as the specification says. */
const tolerance = 0.1
/** Bytes, entries and characters of a log that are read: it comes from a stranger. */
const [maxLogBytes, maxEntries, maxTextLength] = [65_536, 100, 200]

/** Reads the table of readings. */
export function readReadings(csv: string): Reading[] {
  const rows = csv.trim().split('\n').slice(1)
  return rows.map((row) => {
    const [site = '', month = '', day, night] = row.split(',')
    return { site, month, dayKwh: Number(day), nightKwh: Number(night) }
  })
}

/** The months that the specification wants explained. */
export function findOutliers(readings: readonly Reading[]): Outlier[] {
  return readings.flatMap((reading) => {
    const others = readings.filter(({ site, month }) => site === reading.site && month !== reading.month)
    const usualShare = nightShare(others)
    const share = nightShare([reading])
    return Math.abs(share - usualShare) > tolerance ? [{ ...reading, share, usualShare }] : []
  })
}

/**
 * The section of the report that explains the outliers from the log of a meter, or throws: a log that does not explain
 * them was not worth its price, and nothing is claimed without a source.
 */
export function explainOutliers(readings: readonly Reading[], log: Uint8Array, source: string): string {
  const { site, meter, keeper, entries } = readMeterLog(log)
  const digest = createHash('sha256').update(log).digest('hex')
  const paragraphs = findOutliers(readings).map((outlier) => {
    const entry = entries.find(({ kind, from, to }) => kind === 'registers-swapped' && covers(outlier.month, from, to))
    if (outlier.site !== site || entry === undefined)
      throw new Error(`the log of meter ${meter} does not explain ${outlier.site} in ${outlier.month}`)
    const { month, dayKwh, nightKwh } = outlier
    const right = { ...outlier, dayKwh: nightKwh, nightKwh: dayKwh }
    const corrected = readings.map((reading) => (reading.site === site && reading.month === month ? right : reading))
    const nightOfYear = sumOf(corrected.filter((reading) => reading.site === site).map((reading) => reading.nightKwh))
    return `${site} shows ${nightKwh} kWh at night in ${month}, ${percent(outlier.share)} of that month's total; over its other
months it is ${percent(outlier.usualShare)}. The log of meter ${meter}, kept by ${keeper}, explains it: “${entry.text}”
With the registers as they should have been, ${site} used ${dayKwh} kWh at night in ${month}, ${percent(nightShare([right]))}, and ${nightOfYear} kWh
at night over the year. The table above keeps the readings as they are.`
  })
  return `## What stands out\n\n${paragraphs.join('\n\n')}\n\nSource: \`${source}\`, SHA-256 ${digest}.\n`
}

/** Reads a log strictly. Its text ends up in a report, so it is one line of plain characters. */
function readMeterLog(bytes: Uint8Array): MeterLog {
  if (bytes.length > maxLogBytes) throw new Error(`the log has ${bytes.length} bytes, more than ${maxLogBytes}`)
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  const { site, meter, keeper, entries } = fieldsOf(value)
  if (!Array.isArray(entries) || entries.length > maxEntries) throw new Error('the log has no list of entries')
  return {
    ...{ site: plain(site), meter: plain(meter), keeper: plain(keeper) },
    entries: entries.map((entry: unknown) => {
      const { from, to, kind, text } = fieldsOf(entry)
      return { from: plain(from), to: plain(to), kind: plain(kind), text: plain(text) }
    }),
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function plain(value: unknown): string {
  if (typeof value === 'string' && value.length <= maxTextLength && /^[\p{L}\p{N} .,;:()-]+$/u.test(value)) return value
  throw new Error('the log holds something else than short plain texts')
}

function covers(month: string, from: string, to: string): boolean {
  return from <= month && month <= to
}

function nightShare(readings: readonly Reading[]): number {
  const night = sumOf(readings.map(({ nightKwh }) => nightKwh))
  return night / (night + sumOf(readings.map(({ dayKwh }) => dayKwh)))
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
