import type { DocumentLine } from './document-lines.ts'

/** Forms of VAT identification numbers, without spaces, dots and hyphens. Source: Directive 2006/112/EC, VIES; UK and CH likewise. */
const FORMS =
  'ATU\\d{8}|BE[01]\\d{9}|BG\\d{9,10}|CHE\\d{9}|CY\\d{8}[A-Z]|CZ\\d{8,10}|DE\\d{9}|DK\\d{8}|EE\\d{9}|EL\\d{9}|ES[A-Z0-9]\\d{7}[A-Z0-9]|FI\\d{8}|FR[A-Z0-9]{2}\\d{9}|GB\\d{9}|HR\\d{11}|HU\\d{8}|IE\\d[A-Z0-9]\\d{5}[A-Z]{1,2}|IT\\d{11}|LT\\d{9}|LU\\d{8}|LV\\d{11}|MT\\d{8}|NL\\d{9}B\\d{2}|PL\\d{10}|PT\\d{9}|RO\\d{2,10}|SE\\d{12}|SI\\d{8}|SK\\d{10}'
const VAT_ID = new RegExp(`^(?:${FORMS})(?![0-9])`)

/** Characters over which a number with its spaces and dots can spread. */
const MAX_SPREAD = 40

/** The VAT identification number in a cell, without spaces; by its form only, no check digits and no register. */
function vatIdIn(cell: string): string | undefined {
  for (const { index } of cell.matchAll(/(?<![A-Z0-9])[A-Z]{2}/g)) {
    const id = VAT_ID.exec(cell.slice(index, index + MAX_SPREAD).replace(/[ .\u00a0-]/g, ''))?.[0]
    if (id !== undefined) return id
  }
  return undefined
}

/** Lines with a VAT identification number, in order. */
export function vatIdsOf(lines: readonly DocumentLine[]): readonly { readonly at: number; readonly id: string }[] {
  return lines.flatMap(({ cells }, at) =>
    cells.flatMap((cell) => {
      const id = vatIdIn(cell)
      return id === undefined ? [] : [{ at, id }]
    }),
  )
}
