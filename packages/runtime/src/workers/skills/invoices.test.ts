import { readFileSync } from 'node:fs'
import type { TaskHash } from '@oikos/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFolder } from '../../../test/workers/read-folder.ts'
import type { WorkOrder } from '../worker.ts'
import { work } from './invoices.ts'

const example = new URL('../../../../../examples/invoices/', import.meta.url).pathname
const other = new URL('../../../test/workers/invoices/', import.meta.url).pathname
const spec = readFileSync(`${example}task/spec/fields.yaml`)

type Row = Readonly<Record<string, unknown>> & { readonly file: string; readonly lines: readonly unknown[] | null }
type Tally = Readonly<Record<'right' | 'wrong' | 'missed', number>>

function order(files: ReadonlyMap<string, Uint8Array>): WorkOrder {
  return {
    ...{ taskHash: `0x${'00'.repeat(32)}` as TaskHash, specProfile: 'x-invoice-fields-v1', files },
    ...{ resources: new Map(), fulfillment: undefined },
  }
}

/** Only these documents, under the spec of the example. */
function documents(files: Readonly<Record<string, string | Uint8Array>>): WorkOrder {
  const entries = Object.entries(files).map(([name, content]): [string, Uint8Array] => [
    `documents/${name}`,
    typeof content === 'string' ? new TextEncoder().encode(content) : content,
  ])
  return order(new Map([['spec/fields.yaml', spec], ...entries]))
}

async function read(made: WorkOrder): Promise<readonly Row[]> {
  return jsonLines(new TextDecoder().decode((await work(made)).files.get('invoices.jsonl')))
}

function jsonLines(text: string): readonly Row[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

/** Right, wrong and missed (null where the document states it) for each field; lines count by their number. */
function tally(rows: readonly Row[], gold: readonly Row[]): Readonly<Record<string, Tally>> {
  const fields = Object.keys(gold[0] ?? {}).filter((field) => field !== 'file')
  const judge = (field: string): Tally => {
    const verdicts = gold.map((wanted) => {
      const row = rows.find(({ file }) => file === wanted.file)
      const got = field === 'lines' ? (row?.lines?.length ?? null) : (row?.[field] ?? null)
      return got === wanted[field] ? 'right' : got === null ? 'missed' : 'wrong'
    })
    const count = (verdict: string) => verdicts.filter((one) => one === verdict).length
    return { right: count('right'), wrong: count('wrong'), missed: count('missed') }
  }
  return Object.fromEntries(fields.map((field) => [field, judge(field)]))
}

const worked = () => order(new Map(readFolder(`${example}task`)))

describe('the invoices worker', () => {
  it('reads every field of the fourteen invoices of the worked package', async () => {
    const gold = jsonLines(readFileSync(`${example}qa/gold.jsonl`, 'utf8'))
    const all = { right: 14, wrong: 0, missed: 0 }
    const figures = tally(await read(worked()), gold)
    expect(Object.keys(figures)).toHaveLength(10)
    for (const figure of Object.values(figures)) expect(figure).toEqual(all)
  })

  it('reads most fields of eight other layouts, and states nothing wrong where it misses', async () => {
    const files = [...readFolder(`${other}held-out`)].map(([path, bytes]) => [path, bytes] as const)
    const rows = await read(documents(Object.fromEntries(files)))
    expect(tally(rows, jsonLines(readFileSync(`${other}gold.jsonl`, 'utf8')))).toEqual({
      number: { right: 7, wrong: 0, missed: 1 },
      date: { right: 7, wrong: 0, missed: 1 },
      currency: { right: 8, wrong: 0, missed: 0 },
      seller: { right: 7, wrong: 0, missed: 1 },
      buyer: { right: 6, wrong: 0, missed: 2 },
      sellerVatId: { right: 8, wrong: 0, missed: 0 },
      lines: { right: 7, wrong: 0, missed: 1 },
      net: { right: 6, wrong: 0, missed: 2 },
      tax: { right: 7, wrong: 0, missed: 1 },
      total: { right: 7, wrong: 0, missed: 1 },
    })
  })

  it('says which arithmetic holds, and delivers as printed what does not', async () => {
    const rows = await read(worked())
    const checksOf = (name: string) => rows.find(({ file }) => file.startsWith(name))?.['checks']
    expect(checksOf('02')).toEqual({ lines: 'holds', sum: 'holds', total: 'holds' })
    expect(checksOf('12')).toEqual({ lines: 'holds', sum: 'holds', total: 'differs' })
    expect(checksOf('11')).toEqual({ lines: 'holds', sum: 'holds', total: 'unknown' })
    const notes = new TextDecoder().decode((await work(worked())).files.get('DELIVERY.md'))
    expect(notes).toContain('- "12-wrong-sum.txt": net and tax do not add up to the total')
  })

  it('takes what a document says to its reader as data', async () => {
    const row = (await read(worked())).find(({ file }) => file === '13-with-orders.txt')
    expect(row).toMatchObject({ seller: 'Greyfox Media', buyer: 'Sparrow Books', total: '240.00' })
    expect(row?.['approve']).toBeUndefined()
  })

  it('states nothing about a document that is no invoice, or no text', async () => {
    const rows = await read(worked())
    for (const name of ['15-newsletter.eml', '16-scan.txt']) {
      const { file, ...fields } = rows.find((row) => row.file === name) ?? { file: '' }
      expect(file).toBe(name)
      expect(Object.values(fields).every((value) => value === null)).toBe(true)
    }
  })

  it.each([
    ['1,234.56', '1234.56'],
    ['1.234,56', '1234.56'],
    ['1 234,56', '1234.56'],
    ["1'234.56", '1234.56'],
    ['1\u202f234,56', '1234.56'],
    ['€ 1.234,56', '1234.56'],
    ['1,234.56 USD', '1234.56'],
    ['-12.50', '-12.50'],
    ['12.345.67', null],
    ['1,23.45', null],
    ['twelve', null],
  ])('reads the amount %s as %s', async (printed, total) => {
    const [row] = await read(documents({ 'a.txt': `Seller Ltd\nInvoice no: A-1\n\nTotal: ${printed}\n` }))
    expect(row?.['total']).toBe(total)
  })

  it.each([
    ['05/04/2026', 'GBP', '2026-04-05'],
    ['05/04/2026', 'USD', '2026-05-04'],
    ['25/04/2026', 'USD', '2026-04-25'],
    ['31.02.2026', 'EUR', null],
    ['5. März 2026', 'EUR', '2026-03-05'],
    ['5 février 2026', 'EUR', '2026-02-05'],
  ])('reads the date %s of an invoice in %s as %s', async (printed, currency, date) => {
    const [row] = await read(
      documents({ 'a.txt': `Seller Ltd\nInvoice no: A-1\nDate: ${printed}\nTotal: ${currency} 5.00` }),
    )
    expect(row?.['date']).toBe(date)
  })

  it('never fails on a document, whatever is in it', async () => {
    const pieces = [
      'Invoice',
      'Total',
      ':',
      '\n',
      '\t',
      ' ',
      '|',
      '"',
      ';',
      ',',
      '1.234,56',
      '<td>',
      '</table',
      '&#9999999;',
      '=E2',
      '--b',
      '\u202e',
      '{',
    ]
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const content = parts.join('')
        const rows = await read(documents({ 'a.txt': content, 'b.html': content, 'c.csv': content, 'd.eml': content }))
        expect(rows).toHaveLength(4)
      }),
      { numRuns: 200 },
    )
  })

  it.each<[string, string, string]>([
    ['tags that never end', 'a.html', '<'.repeat(300_000)],
    ['scripts that never end', 'a.html', '<script>'.repeat(50_000)],
    ['quotes that never end', 'a.csv', '"\n'.repeat(200_000)],
    ['parts within parts', 'a.eml', 'Content-Type: multipart/mixed; boundary=b\n\n--b\n'.repeat(5_000)],
    ['digits', 'a.txt', `Total: ${'1'.repeat(500_000)}`],
    ['groups of digits', 'a.txt', `Total: 1${',111'.repeat(100_000)}x`],
    ['spaces', 'a.txt', `Total:${' '.repeat(900_000)}x`],
    ['letters that look like a VAT id', 'a.txt', 'DE '.repeat(300_000)],
    ['entities', 'a.html', '&amp;'.repeat(180_000)],
  ])('reads %s without end in a bounded time', async (_, name, content) => {
    const startedMs = performance.now()
    await read(documents({ [name]: content }))
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })

  it.each<[string, ReadonlyMap<string, Uint8Array>]>([
    ['no documents', new Map([['spec/fields.yaml', spec]])],
    ['no spec', new Map([['documents/a.txt', new Uint8Array()]])],
    [
      'a spec that asks for a field that is not read',
      new Map([
        ['spec/fields.yaml', Buffer.from('input: {folder: d}\noutput: {file: o}\nfields: {iban: account}')],
        ['d/a.txt', new Uint8Array()],
      ]),
    ],
  ])('refuses a package with %s', async (_, files) => {
    await expect(work(order(files))).rejects.toMatchObject({ name: 'WorkRefusal' })
  })
})
