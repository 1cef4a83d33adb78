import { type Decimal, multiplyHalfUp } from './decimal.ts'
import type { DocumentLine } from './document-lines.ts'
import { type NumberStyle, readAmount } from './money.ts'

/** One line of an invoice; what it does not state is undefined. */
export type InvoiceLine = {
  readonly description: string
  readonly quantity: Decimal | undefined
  readonly unitPrice: Decimal | undefined
  readonly amount: Decimal
}

const DESCRIPTION =
  /^(?:description|item|details|article|artikel|bezeichnung|leistung|position|d[ée]signation|libell[ée]|omschrijving)\b/i
const QUANTITY = /^(?:qty|quantity|menge|anzahl|quantit[ée]|qt[ée]|aantal|hours|stunden)\b/i
const PRICE = /^(?:unit price|price|rate|einzelpreis|preis|satz|prix(?: unitaire)?|eenheidsprijs|prijs|stukprijs)\b/i
const AMOUNT = /^(?:amount|total|sum|betrag|summe|gesamt|montant|value|wert|bedrag|totaal)\b/i

/** Lines of one invoice. */
const MAX_LINES = 1_000

/**
 * The lines under the head of a table, up to the first line that `isEnd`; without such a head, all rows of one text and one
 * amount before the first end.
 */
export function readLines(
  lines: readonly DocumentLine[],
  style: NumberStyle,
  isEnd: (line: DocumentLine) => boolean,
): readonly InvoiceLine[] {
  const headAt = lines.findIndex(isHead)
  const head = lines[headAt]?.cells ?? []
  const rows = lines.slice(headAt + 1)
  const end = rows.findIndex(isEnd)
  const own = end === -1 ? rows : rows.slice(0, end)
  const read = (cells: readonly string[]) =>
    headAt === -1 ? readLoose(cells, style) : readRow(cells, style, cells.length === head.length ? head : [])
  return own.flatMap(({ cells }) => read(cells) ?? []).slice(0, MAX_LINES)
}

function isHead({ cells }: DocumentLine): boolean {
  const has = (pattern: RegExp) => cells.some((cell) => pattern.test(cell))
  return has(DESCRIPTION) && has(AMOUNT) && (has(QUANTITY) || has(PRICE))
}

/** A text, then numbers: the last is the amount, the one before the price, the one before that the quantity. */
function readRow(cells: readonly string[], style: NumberStyle, head: readonly string[]): InvoiceLine | undefined {
  const named = head.findIndex((name) => DESCRIPTION.test(name))
  const descriptionAt = named === -1 ? 0 : named
  const description = cells[descriptionAt] ?? ''
  const numbers = cells
    .slice(descriptionAt + 1)
    .map((cell) => readAmount(cell, style))
    .filter((number) => number !== undefined)
  const amount = numbers.at(-1)
  if (amount === undefined || numbers.length < 2 || readAmount(description, style) !== undefined) return undefined
  const [quantity, unitPrice] = numbers.length > 2 ? [numbers.at(-3), numbers.at(-2)] : [numbers.at(-2), undefined]
  return { description, quantity, unitPrice, amount }
}

/** Without a head: a row whose arithmetic holds, or one of a text and an amount. */
function readLoose(cells: readonly string[], style: NumberStyle): InvoiceLine | undefined {
  const row = readRow(cells, style, [])
  return row !== undefined && isLineConsistent(row) === true ? row : readPair(cells, style)
}

function readPair(cells: readonly string[], style: NumberStyle): InvoiceLine | undefined {
  const [description = '', last = ''] = cells
  const amount = cells.length === 2 && /[.,]\d{2}\b/.test(last) ? readAmount(last, style) : undefined
  if (amount === undefined || !/^\p{L}/u.test(description)) return undefined
  return { description, quantity: undefined, unitPrice: undefined, amount }
}

/** Whether quantity times price is the amount, to the cent; undefined where the line does not state both. */
export function isLineConsistent({ quantity, unitPrice, amount }: InvoiceLine): boolean | undefined {
  if (quantity === undefined || unitPrice === undefined) return undefined
  return multiplyHalfUp(quantity, unitPrice, 2) === amount
}
