import { type Decimal, sumOf, writeDecimal } from './decimal.ts'
import { WorkRefusal } from './refusal.ts'

/** A table of readings: a group (such as a site), a period (such as a month), and measures. */
export type Readings = {
  readonly group: string
  readonly period: string
  readonly measures: readonly string[]
  readonly rows: readonly { readonly group: string; readonly period: string; readonly values: readonly Decimal[] }[]
}

/** A column of the report, as the spec names it. */
export type ReportColumn = { readonly name: string; readonly type: string; readonly rule: string | undefined }

/** One group with its figures. */
type Group = { readonly name: string; readonly rows: Readings['rows'] }

/** Groups in the order in which the readings name them. */
export function groupsOf({ rows }: Readings): readonly Group[] {
  const groups = new Map<string, Readings['rows'][number][]>()
  for (const row of rows) {
    const own = groups.get(row.group)
    if (own === undefined) groups.set(row.group, [row])
    else own.push(row)
  }
  return [...groups].map(([name, own]) => ({ name, rows: own }))
}

/** All measures of one row together. */
export function totalOf({ values }: Readings['rows'][number]): Decimal {
  return sumOf(values)
}

/**
 * What a column says of a group, by a rule in words: `sum of A and B …`, `<period> with the greatest (or least) A`, `mean`
 * is not among them. `total` stands for all measures. @throws WorkRefusal for a rule that is not understood
 */
export function figureOf({ name, type, rule }: ReportColumn, readings: Readings): (group: Group) => string {
  if (rule === undefined) return (group) => group.name
  const sum = /^sum of (.+?)(?: over .+| for .+)?$/i.exec(rule)?.[1]
  if (sum !== undefined) {
    const picked = measuresNamed(sum, readings)
    return ({ rows }) => {
      const value = sumOf(rows.flatMap(({ values }) => picked.map((index) => values[index] ?? (0n as Decimal))))
      const written = writeDecimal(value)
      if (type === 'integer' && written.includes('.'))
        throw new WorkRefusal(`the column ${JSON.stringify(name)} is to be an integer, and ${written} is none`)
      return written
    }
  }
  const extreme = /^(\S+) with the (greatest|highest|largest|least|lowest|smallest) (.+?)(?: over .+)?$/i.exec(rule)
  if (extreme !== null && extreme[1]?.toLowerCase() === readings.period.toLowerCase()) {
    const picked = measuresNamed(extreme[3] ?? '', readings)
    const isGreatest = /greatest|highest|largest/i.test(extreme[2] ?? '')
    return ({ rows }) => extremePeriod(rows, picked, isGreatest)
  }
  throw new WorkRefusal(`the rule of the column ${JSON.stringify(name)} is not understood: ${JSON.stringify(rule)}`)
}

/** The first of equal ones. */
function extremePeriod(rows: Readings['rows'], picked: readonly number[], isGreatest: boolean): string {
  let best: { period: string; value: bigint } | undefined
  for (const { period, values } of rows) {
    const value = sumOf(picked.map((index) => values[index] ?? (0n as Decimal)))
    if (best === undefined || (isGreatest ? value > best.value : value < best.value)) best = { period, value }
  }
  return best?.period ?? ''
}

/** Measures by their names in words: `day and night` are `day_kwh` and `night_kwh`; `total` is all of them. */
function measuresNamed(words: string, { measures }: Readings): readonly number[] {
  const names = words
    .split(/,| and /)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  if (names.length === 1 && (names[0] === 'total' || names[0] === 'all')) return measures.map((_, index) => index)
  return names.map((name) => {
    const exact = measures.findIndex((measure) => measure.toLowerCase() === name)
    const index =
      exact === -1 ? measures.findIndex((measure) => measure.toLowerCase().split(/[_\s-]/)[0] === name) : exact
    if (index === -1) throw new WorkRefusal(`no measure of the readings is called ${JSON.stringify(name)}`)
    return index
  })
}
