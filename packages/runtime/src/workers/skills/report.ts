import type { WorkOrder, WorkProduct } from '../worker.ts'
import { readCsv } from './csv.ts'
import { type Decimal, readDecimal } from './decimal.ts'
import { asFile, isMap, readSpec, textOf } from './package-files.ts'
import { WorkRefusal } from './refusal.ts'
import { figureOf, groupsOf, type Readings, type ReportColumn } from './report-figures.ts'
import { findingsOf } from './report-findings.ts'
import { explainFrom } from './report-sources.ts'

const MAX_COLUMNS = 20
const MAX_GROUPS = 200
/** Rows that could not be read, of which the report lists so many. */
const MAX_LISTED = 20

/**
 * Writes `REPORT.md` over the one table in `data/`, with the table that the spec asks for, profile `x-report-table-v1`: every
 * number by exact arithmetic, findings that the readings support, limits. Equal input gives equal bytes.
 * @throws WorkRefusal for a package that is no such work
 */
export async function work(order: WorkOrder): Promise<WorkProduct> {
  const columns = readColumns(order)
  const { readings, path, problems } = readReadings(order, columns)
  const groups = groupsOf(readings)
  if (groups.length === 0) throw new WorkRefusal('no reading could be read')
  if (groups.length > MAX_GROUPS)
    throw new WorkRefusal(`there are ${groups.length} rows to report, more than ${MAX_GROUPS}`)
  const figures = columns.map((column) => figureOf(column, readings))
  const table = [
    `| ${columns.map(({ name }) => cell(name)).join(' | ')} |`,
    `|${columns.map(({ type }) => (type === 'integer' || type === 'number' ? '---:' : '---')).join('|')}|`,
    ...groups.map((group) => `| ${figures.map((figure) => cell(figure(group))).join(' | ')} |`),
  ]
  const explained = wantsSources(order) ? explainFrom(readings, order.resources) : { lines: [], files: new Map() }
  const lines = [
    ...['# Report', '', ...table, '', '## Findings', ''],
    ...asList(findingsOf(readings).map(inline), 'The readings support none beyond the table.'),
    ...explained.lines,
    ...['', '## Limits', ''],
    `Computed by a program from ${readings.rows.length} rows of \`${path}\` by sums and comparisons that anybody can repeat; nothing`,
    explained.files.size === 0
      ? 'else was looked at. Missing periods are not estimated, and no cause is claimed.'
      : 'else was looked at but the sources named above. Missing periods are not estimated, and no other cause is claimed.',
    ...(problems.length === 0
      ? []
      : [
          '',
          `${problems.length} rows could not be read and are in no figure:`,
          '',
          ...asList(problems.slice(0, MAX_LISTED).map(inline), ''),
        ]),
  ]
  const summary = `Wrote a report of ${groups.length} rows and ${columns.length} columns from ${readings.rows.length} readings${explained.files.size === 0 ? '' : `, and explained what stands out from ${explained.files.size} sources`}; ${problems.length} rows could not be read.`
  return { files: new Map([['REPORT.md', asFile(lines)], ...explained.files]), summary }
}

/** Whether the spec asks for explanations from a source. */
function wantsSources(order: WorkOrder): boolean {
  const { outliers } = readSpec(order)
  return isMap(outliers) && typeof outliers['explain'] === 'string'
}

function asList(items: readonly string[], none: string): readonly string[] {
  return items.length === 0 ? [none] : items.map((item) => `- ${item}`)
}

/** A stranger's text within Markdown: no markup, no link, no line of its own. */
function inline(text: string): string {
  return text.replace(/[\\`*_[\]<>|#!&]/g, (mark) => `\\${mark}`).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
}

function cell(text: string): string {
  return inline(text.trim()).slice(0, 200)
}

function readColumns(order: WorkOrder): readonly ReportColumn[] {
  const { columns } = readSpec(order)
  if (!Array.isArray(columns) || columns.length < 2 || columns.length > MAX_COLUMNS)
    throw new WorkRefusal(`the spec has no list of 2 to ${MAX_COLUMNS} columns`)
  return columns.map((column) => {
    if (!isMap(column)) throw new WorkRefusal('a column of the spec is no map')
    const { name, type = 'text', rule } = column
    if (typeof name !== 'string' || typeof type !== 'string' || (rule !== undefined && typeof rule !== 'string'))
      throw new WorkRefusal('a column of the spec has no name, or a type or rule that is no text')
    return { name, type, rule }
  })
}

type ReadTable = { readonly readings: Readings; readonly path: string; readonly problems: readonly string[] }

/** The group is the column of the report's first one; the period is the other column that is no number. */
function readReadings(order: WorkOrder, [first]: readonly ReportColumn[]): ReadTable {
  const paths = [...order.files.keys()].filter((path) => /^data\/[^/]+\.csv$/.test(path))
  const [path] = paths
  if (path === undefined || paths.length > 1) throw new WorkRefusal('the package has not exactly one table data/*.csv')
  const table = readCsv(textOf(order, path) ?? '')
  const groupAt = table.head.findIndex((name) => name.toLowerCase() === first?.name.toLowerCase())
  if (groupAt === -1 || first?.rule !== undefined)
    throw new WorkRefusal('the first column of the report is no column of the readings')
  const isMeasure = table.head.map(
    (_, at) =>
      at !== groupAt &&
      table.rows.filter(({ fields }) => readDecimal(fields[at] ?? '') !== undefined).length * 2 > table.rows.length,
  )
  const periodAt = table.head.findIndex((_, at) => at !== groupAt && isMeasure[at] !== true)
  const measuresAt = table.head.flatMap((_, at) => (isMeasure[at] === true ? [at] : []))
  if (periodAt === -1 || measuresAt.length === 0) throw new WorkRefusal('the readings have no period or no measure')
  const problems = [...table.problems]
  const seen = new Set<string>()
  const rows = table.rows.flatMap(({ line, fields }) => {
    const values = measuresAt.map((at) => readDecimal(fields[at] ?? ''))
    const [group = '', period = ''] = [fields[groupAt]?.trim(), fields[periodAt]?.trim()]
    const key = JSON.stringify([group, period])
    if (values.some((value) => value === undefined)) problems.push(`line ${line}: a reading that is no number`)
    else if (group === '' || period === '')
      problems.push(`line ${line}: no ${table.head[groupAt]} or ${table.head[periodAt]}`)
    else if (seen.has(key)) problems.push(`line ${line}: a second reading for the same place and time`)
    else {
      seen.add(key)
      return [{ group, period, values: values as readonly Decimal[] }]
    }
    return []
  })
  const [group = '', period = ''] = [table.head[groupAt], table.head[periodAt]]
  return { path, problems, readings: { group, period, measures: measuresAt.map((at) => table.head[at] ?? ''), rows } }
}
