/** A table with a head; each row has as many fields as the head. */
export type Table = {
  readonly head: readonly string[]
  readonly rows: readonly { readonly line: number; readonly fields: readonly string[] }[]
  /** Rows that could not be read, with their line. */
  readonly problems: readonly string[]
}

/** Rows of one table. */
const MAX_ROWS = 200_000

/**
 * Reads comma-separated values as in RFC 4180, with line ends of any system and a byte order mark allowed. A row with too few
 * or too many fields is a problem, and so is a quote that does not end; never throws.
 */
export function readCsv(text: string, delimiter = ','): Table {
  const problems: string[] = []
  const records = splitRecords(text.replace(/^\ufeff/, ''), delimiter)
  const [first, ...rest] = records
  const head = first?.fields.map((field) => field.trim()) ?? []
  const rows = rest.slice(0, MAX_ROWS).filter(({ line, fields, isBroken }) => {
    if (isBroken) problems.push(`line ${line}: a quote that does not end, or text behind one`)
    else if (fields.length !== head.length)
      problems.push(`line ${line}: ${fields.length} fields, expected ${head.length}`)
    else return true
    return false
  })
  if (rest.length > MAX_ROWS) problems.push(`${rest.length - MAX_ROWS} rows beyond ${MAX_ROWS} were not read`)
  return { head, rows, problems }
}

/** One row as it stands; `isBroken` when its quotes do not match. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[]; readonly isBroken: boolean }

/** All rows that are not empty, the head among them; never throws. */
export function splitRecords(text: string, delimiter: string): readonly CsvRecord[] {
  const records: CsvRecord[] = []
  let line = 1
  let at = 0
  while (at < text.length) {
    const startLine = line
    const fields: string[] = []
    let isBroken = false
    for (;;) {
      const isQuoted = text[at] === '"'
      const { field, next, lines, isWhole } = isQuoted ? quotedField(text, at) : plainField(text, at, delimiter)
      fields.push(field)
      at = next
      line += lines
      if (!isWhole) isBroken = true
      if (text[at] === delimiter) {
        at += 1
        continue
      }
      if (at >= text.length || text[at] === '\n' || text[at] === '\r') break
      // text behind a closing quote: the row is broken, and reading goes on at the next one
      isBroken = true
      at = endOfLine(text, at)
      break
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    line += 1
    if (fields.length > 1 || fields[0]?.trim() !== '') records.push({ line: startLine, fields, isBroken })
  }
  return records
}

type Field = { readonly field: string; readonly next: number; readonly lines: number; readonly isWhole: boolean }

function plainField(text: string, start: number, delimiter: string): Field {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { field: text.slice(start, end), next: end, lines: 0, isWhole: true }
}

function quotedField(text: string, start: number): Field {
  const quoted = /"[^"]*(?:""[^"]*)*"/y
  quoted.lastIndex = start
  const match = quoted.exec(text)?.[0]
  if (match === undefined) {
    const end = endOfLine(text, start)
    return { field: text.slice(start, end), next: end, lines: 0, isWhole: false }
  }
  const field = match.slice(1, -1).replaceAll('""', '"')
  return { field, next: start + match.length, lines: field.split('\n').length - 1, isWhole: true }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end
}
