import { createHash } from 'node:crypto'
import { type Decimal, sumOf, writeDecimal } from './decimal.ts'
import { groupsOf, type Readings } from './report-figures.ts'

/** What a keeper of a meter wrote down; periods such as `2025-09`, both ends included. */
type LogEntry = { readonly from: string; readonly to: string; readonly kind: string; readonly text: string }
type MeterLog = {
  readonly site: string
  readonly meter: string
  readonly keeper: string
  readonly entries: readonly LogEntry[]
}

/** A section of the report, and the sources that it rests on, under their names in the delivery. */
export type Explained = { readonly lines: readonly string[]; readonly files: ReadonlyMap<string, Uint8Array> }

/** How far a share may lie from that of the other periods, in thousandths: ten points. */
const TOLERANCE = 100n
/** Bytes, entries and characters of a log that are read: it comes from a stranger. */
const [MAX_LOG_BYTES, MAX_ENTRIES, MAX_TEXT] = [65_536, 100, 200] as const

/**
 * Explains periods with a striking share of the second measure from the logs that were bought for it: each says which log, and
 * holds it. What no log explains stays unexplained, and a log that cannot be read is left out.
 */
export function explainFrom(readings: Readings, resources: ReadonlyMap<string, Uint8Array>): Explained {
  const files = new Map<string, Uint8Array>()
  const paragraphs: string[] = []
  const sources: string[] = []
  for (const [name, bytes] of [...resources].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const log = readMeterLog(bytes)
    const explained = log === undefined ? [] : explainWith(readings, log)
    if (explained.length === 0) continue
    const path = `sources/${name.replace(/[^A-Za-z0-9._-]/g, '-')}.json`
    files.set(path, bytes)
    paragraphs.push(...explained)
    sources.push(`Source: \`${path}\`, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}.`)
  }
  if (paragraphs.length === 0) return { lines: [], files }
  return { lines: ['', '## What stands out', '', ...paragraphs.flatMap((text) => [text, '']), ...sources], files }
}

function explainWith(readings: Readings, { site, meter, keeper, entries }: MeterLog): readonly string[] {
  const [, second] = readings.measures
  const group = groupsOf(readings).find(({ name }) => name === site)
  if (second === undefined || readings.measures.length !== 2 || group === undefined) return []
  return group.rows.flatMap((row) => {
    const others = group.rows.filter((other) => other !== row)
    const usual = shareOf(others)
    const share = shareOf([row])
    const entry = entries.find(
      ({ kind, from, to }) => kind === 'registers-swapped' && from <= row.period && row.period <= to,
    )
    if (usual === undefined || share === undefined || entry === undefined) return []
    if ((share > usual ? share - usual : usual - share) <= TOLERANCE) return []
    const [first = 0n as Decimal, last = 0n as Decimal] = row.values
    const rightShare = shareOf([{ ...row, values: [last, first] }])
    const year = sumOf([...others.map(({ values }) => values[1] ?? (0n as Decimal)), first])
    return [
      `${site}, ${row.period}: ${second} is ${writeDecimal(last)}, ${percent(share)} of the total; over the other periods it is ${percent(usual)}. The log of meter ${meter}, kept by ${keeper}, explains it: “${entry.text}” With the registers as they should have been, ${second} is ${writeDecimal(first)}, ${percent(rightShare)}, and ${writeDecimal(year)} over all periods. The table above keeps the readings as they are.`,
    ]
  })
}

/** Share of the second measure in thousandths, rounded half up; undefined where there is nothing. */
function shareOf(rows: Readings['rows']): bigint | undefined {
  const part = sumOf(rows.map(({ values }) => values[1] ?? (0n as Decimal)))
  const whole = sumOf(rows.flatMap(({ values }) => values))
  return whole <= 0n || part < 0n ? undefined : (part * 2_000n + whole) / (whole * 2n)
}

function percent(thousandths: bigint | undefined): string {
  return thousandths === undefined ? 'unknown' : `${thousandths / 10n}.${thousandths % 10n} %`
}

/** Reads a log strictly; its text ends up in a report, so it is one line of plain characters. */
function readMeterLog(bytes: Uint8Array): MeterLog | undefined {
  if (bytes.length > MAX_LOG_BYTES) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const { site, meter, keeper, entries } = fieldsOf(value)
    if (!Array.isArray(entries) || entries.length > MAX_ENTRIES) return undefined
    return {
      ...{ site: plain(site), meter: plain(meter), keeper: plain(keeper) },
      entries: entries.map((entry: unknown) => {
        const { from, to, kind, text } = fieldsOf(entry)
        return { from: plain(from), to: plain(to), kind: plain(kind), text: plain(text) }
      }),
    }
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function plain(value: unknown): string {
  if (typeof value === 'string' && value.length <= MAX_TEXT && /^[\p{L}\p{N} .,;:()-]+$/u.test(value)) return value
  throw new TypeError('the log holds something else than short plain texts')
}
