import type { Paint } from './paint.ts'

/** A line of a sheet of facts; a list of values goes over several lines. */
export type Fact = readonly [label: string, value: string | readonly string[]]

/** Widest label column; a longer label gets a line of its own. */
const LABEL_COLUMNS = 22

/** Facts as lines, labels to the left, values in one column. */
export function factLines(facts: readonly Fact[], paint: Paint, indent = ''): string[] {
  const width = Math.min(LABEL_COLUMNS, Math.max(0, ...facts.map(([label]) => label.length)))
  return facts.flatMap(([label, value]) => {
    const values = typeof value === 'string' ? [value] : value
    return values.map((line, index) => {
      const name = (index === 0 ? label : '').padEnd(width)
      return `${indent}${paint('dim', name)}  ${line}`.trimEnd()
    })
  })
}

/** Alignment of a column. */
export type Column = { readonly title: string; readonly align?: 'right' }

/** A table as lines, with a head. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[], paint: Paint): string[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? ''
        const width = widths[index] ?? 0
        return align === 'right' ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [paint('bold', line(columns.map(({ title }) => title))), ...rows.map(line)]
}
