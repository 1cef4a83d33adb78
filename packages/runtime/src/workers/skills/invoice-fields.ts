import { readDate } from './dates.ts'
import { type Decimal, sumOf } from './decimal.ts'
import type { DocumentLine, DocumentLines } from './document-lines.ts'
import { type InvoiceLine, isLineConsistent, readLines } from './invoice-lines.ts'
import { currencyOf, type NumberStyle, readAmount, styleOf } from './money.ts'
import { vatIdsOf } from './vat-id.ts'

/** Whether the arithmetic of an invoice holds; `unknown` where it does not state enough. */
type Check = 'holds' | 'differs' | 'unknown'

/** What an invoice states; undefined is what it does not. */
export type InvoiceFields = {
  readonly number: string | undefined
  readonly date: string | undefined
  readonly currency: string | undefined
  readonly seller: string | undefined
  readonly buyer: string | undefined
  readonly sellerVatId: string | undefined
  readonly lines: readonly InvoiceLine[]
  readonly net: Decimal | undefined
  readonly tax: Decimal | undefined
  readonly total: Decimal | undefined
  readonly checks: { readonly lines: Check; readonly sum: Check; readonly total: Check }
}

/** Labels as they stand at the beginning of a cell, in English, German, French and Dutch. */
const LABELS = {
  number:
    /^(?:tax )?(?:invoice|rechnungs?|facture|factuur|receipt)[\s-]*(?:no|number|nr|nummer|n°|num[ée]ro|#)?\s*[.:#]*\s*/i,
  date: /^(?:invoice date|date of issue|issue date|issued(?: on)?|date paid|rechnungsdatum|date de facture|factuurdatum|datum|date)\s*(?::|$|(?=\s\d))\s*/i,
  otherDate: /^(?:due|delivery|liefer|f[äa]llig|[ée]ch[ée]ance|verval)/i,
  seller:
    /^(?:(?:receipt|invoice|rechnung|facture) (?:from|von|de)(?=\s\S)|(?:seller|vendor|supplier|from|verk[äa]ufer|lieferant|vendeur|fournisseur|leverancier)\s*(?::|$))\s*/i,
  buyer:
    /^(?:bill(?:ed)? to|sold to|buyer|customer|client|kunde|rechnung an|rechnungsempf[äa]nger|an|aan|to|factur[ée]e? [àa]|klant)\s*(?::|$)\s*/i,
  currency: /^(?:currency|w[äa]hrung|devise|valuta)\s*(?::|$)\s*/i,
  net: /^(?:sub-?total|summe netto|totaal excl[^:]*|sous-total|subtotaal|zwischensumme|net(?:to)?(?:betrag| amount| total)?|total ht)(?![\p{L}])/iu,
  tax: /^(?:zzgl\.? )?(?:\d+(?:[.,]\d+)? ?% )?(?:sales tax|vat|tax|mwst|ust|umsatzsteuer|tva|btw)(?![\p{L}])(?!\.?[\s-]*(?:id|reg|no|nr|number|nummer))/iu,
  total:
    /^(?:grand total|total due|amount due|balance due|total ttc|amount paid|invoice total|total(?! ht)|gesamtbetrag|gesamtsumme|endbetrag|rechnungsbetrag|totaal(?! excl)|te betalen|net [àa] payer)(?![\p{L}])/iu,
  title: /^(?:tax )?(?:invoice|rechnung|facture|factuur|receipt|quittung)$/i,
} as const

const MAX_NAME_CHARACTERS = 200
const NUMBER = /^(?=.*\d)[\p{L}\d][\p{L}\d/.-]{1,39}$/u

/** Reads the fields of an invoice, or undefined when the document has neither a number nor a total. */
export function readInvoice({ lines, sender }: DocumentLines): InvoiceFields | undefined {
  const style = styleOf(lines)
  const currency = currencyOf(lines, valueBehind(lines, LABELS.currency))
  const amounts = readTotals(lines, style)
  const number = readNumber(lines)
  if (number === undefined && amounts.total === undefined) return undefined
  const items = readLines(lines, style, isTotalsLine)
  const fields = {
    ...{ number, currency, lines: items, ...amounts },
    date: readIssueDate(lines, currency === 'USD'),
    seller: nameOf(valueBehind(lines, LABELS.seller) ?? sender ?? firstName(lines)),
    buyer: nameOf(valueBehind(lines, LABELS.buyer)),
    sellerVatId: readSellerVatId(lines),
  }
  return { ...fields, checks: checkArithmetic(items, amounts) }
}

/** Behind its label, or with a short label beside the title; a date may follow it. */
function readNumber(lines: readonly DocumentLine[]): string | undefined {
  const bare = (value: string) => value.replace(/ (?:vom|dated|of|du|van) .*$/i, '')
  const labelled = valueBehind(lines, LABELS.number, (value) => NUMBER.test(bare(value)))
  if (labelled !== undefined) return bare(labelled)
  const beside = lines.find(({ cells }) => cells.length > 1 && LABELS.title.test(cells[0] ?? ''))?.cells[1] ?? ''
  const value = beside.replace(/^(?:no|nr|n°|number)?[.:#\s]*/i, '')
  return NUMBER.test(value) ? value : undefined
}

/** The first value behind a label that is accepted: in its cell, in the next one, or on the next line. */
function valueBehind(
  lines: readonly DocumentLine[],
  label: RegExp,
  isAccepted: (value: string) => boolean = () => true,
): string | undefined {
  for (const [at, { cells }] of lines.entries())
    for (const [column, cell] of cells.entries()) {
      const match = label.exec(cell)
      if (match === null) continue
      const rest = cell.slice(match[0].length).trim()
      const value = rest === '' ? (cells[column + 1] ?? lines[at + 1]?.cells[0]) : rest
      if (value !== undefined && isAccepted(value)) return value
    }
  return undefined
}

function nameOf(value: string | undefined): string | undefined {
  return value?.slice(0, MAX_NAME_CHARACTERS)
}

/** Who writes an invoice stands on top of it, but for a title. */
function firstName(lines: readonly DocumentLine[]): string | undefined {
  const first = lines.map(({ cells }) => cells[0] ?? '').find((cell) => !LABELS.title.test(cell))
  return first?.split(/\s[-–·]\s/)[0]
}

function readIssueDate(lines: readonly DocumentLine[], isMonthFirst: boolean): string | undefined {
  const stated = valueBehind(lines, LABELS.date, (value) => readDate(value, isMonthFirst) !== undefined)
  if (stated !== undefined) return readDate(stated, isMonthFirst)
  const cells = lines.flatMap((line) => (LABELS.otherDate.test(line.cells[0] ?? '') ? [] : line.cells))
  return cells.map((cell) => readDate(cell, isMonthFirst)).find((date) => date !== undefined)
}

/** The first one that does not stand in the lines below the buyer's name. */
function readSellerVatId(lines: readonly DocumentLine[]): string | undefined {
  const buyerAt = lines.findIndex(({ cells }) => cells.some((cell) => LABELS.buyer.test(cell)))
  const ids = vatIdsOf(lines)
  const isBuyers = (at: number) => buyerAt !== -1 && at > buyerAt && at <= buyerAt + 4
  return (ids.find(({ at }) => !isBuyers(at)) ?? (ids.length === 1 ? ids[0] : undefined))?.id
}

function isTotalsLine({ cells: [first = ''] }: DocumentLine): boolean {
  return LABELS.net.test(first) || LABELS.tax.test(first) || LABELS.total.test(first)
}

type Totals = Pick<InvoiceFields, 'net' | 'tax' | 'total'>

function readTotals(lines: readonly DocumentLine[], style: NumberStyle): Totals {
  const on = (label: RegExp): readonly Decimal[] =>
    lines.flatMap(({ cells }) => {
      const match = label.exec(cells[0] ?? '')
      return match === null ? [] : (amountOn(cells, match[0].length, style) ?? [])
    })
  const taxes = on(LABELS.tax)
  return { net: on(LABELS.net)[0], tax: taxes.length === 0 ? undefined : sumOf(taxes), total: on(LABELS.total).at(-1) }
}

/** The amount in the last cell, or behind the label without percentages. */
function amountOn(cells: readonly string[], labelLength: number, style: NumberStyle): Decimal | undefined {
  const last = cells.length > 1 ? readAmount(cells.at(-1) ?? '', style) : undefined
  if (last !== undefined) return last
  const rest = (cells[0] ?? '').slice(labelLength).replace(/\(?\d+(?:[.,]\d+)?\s*%\)?/g, '')
  return readAmount(rest, style)
}

function checkArithmetic(lines: readonly InvoiceLine[], { net, tax, total }: Totals): InvoiceFields['checks'] {
  const asCheck = (isRight: boolean | undefined): Check =>
    isRight === undefined ? 'unknown' : isRight ? 'holds' : 'differs'
  const products = lines.map(isLineConsistent).filter((isRight) => isRight !== undefined)
  const target = net ?? (tax === undefined ? total : undefined)
  return {
    lines: asCheck(products.length === 0 ? undefined : products.every((isRight) => isRight)),
    sum: asCheck(
      lines.length === 0 || target === undefined ? undefined : sumOf(lines.map(({ amount }) => amount)) === target,
    ),
    total: asCheck(net === undefined || tax === undefined || total === undefined ? undefined : net + tax === total),
  }
}
