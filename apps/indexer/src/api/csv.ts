/** What a spreadsheet would run as a formula: text of strangers gets a quote before it. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Rows as CSV (RFC 4180, CRLF), one column a member, nested members joined by a point, lists as JSON. Text that a
 * spreadsheet would take for a formula is quoted with an apostrophe; numbers are not.
 */
export function toCsv(items: readonly object[]): string {
  const rows = items.map((item) => flatten(item, '', {}))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(','))
  return `${[names.map(cell).join(','), ...lines].join('\r\n')}\r\n`
}

function flatten(value: object, prefix: string, into: Record<string, unknown>): Record<string, unknown> {
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object' && member !== null && !Array.isArray(member))
      flatten(member, `${prefix}${name}.`, into)
    else into[`${prefix}${name}`] = Array.isArray(member) ? JSON.stringify(member) : member
  }
  return into
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const safe = FORMULA.test(text) && !/^-?[0-9]+$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
