import { type Decimal, readDecimal } from './decimal.ts'
import type { DocumentLine } from './document-lines.ts'

/** The mark before the cents, as one document uses it. */
export type NumberStyle = '.' | ','

const MARKS = /[€£$¥]|\b(?:EUR|GBP|USD|CHF|JPY|SEK|NOK|DKK|PLN)\b/gi

/** How a document writes numbers, by the amounts with two decimals in it; a point where nothing tells. */
export function styleOf(lines: readonly DocumentLine[]): NumberStyle {
  let points = 0
  let commas = 0
  for (const { cells } of lines)
    for (const cell of cells)
      for (const [, mark] of cell.matchAll(/\d([.,])\d{2}(?![\d.,])/g)) {
        if (mark === '.') points += 1
        else commas += 1
      }
  return commas > points ? ',' : '.'
}

/** A cell that is an amount and nothing else but a currency: exact, or undefined. */
export function readAmount(cell: string, style: NumberStyle): Decimal | undefined {
  const bare = cell.replace(MARKS, '').replace(/^[\s:=]+|[\s]+$/g, '')
  const number =
    style === '.'
      ? /^([-−]?)(\d{1,3}(?:[,'’\s]\d{3})+|\d+)(?:\.(\d{1,4}))?$/u
      : /^([-−]?)(\d{1,3}(?:[.'’\s]\d{3})+|\d+)(?:,(\d{1,4}))?$/u
  const match = number.exec(bare)
  if (match === null) return undefined
  const [, sign, whole = '', fraction] = match
  return readDecimal(
    `${sign === '' ? '' : '-'}${whole.replace(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`,
  )
}

const CODES: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', '¥': 'JPY' }

/** The currency that a document names most often beside its amounts, or where it says so; undefined when it names none. */
export function currencyOf(lines: readonly DocumentLine[], stated: string | undefined): string | undefined {
  if (stated !== undefined && /^[A-Z]{3}$/.test(stated)) return stated
  const counts = new Map<string, number>()
  for (const { cells } of lines)
    for (const [mark] of cells.join(' ').matchAll(MARKS)) {
      const code = CODES[mark] ?? mark.toUpperCase()
      counts.set(code, (counts.get(code) ?? 0) + 1)
    }
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0]
}
