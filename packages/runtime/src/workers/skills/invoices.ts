import type { WorkOrder, WorkProduct } from '../worker.ts'
import { type Decimal, writeDecimal } from './decimal.ts'
import { readDocumentLines } from './document-lines.ts'
import { type InvoiceFields, readInvoice } from './invoice-fields.ts'
import { asFile, mapAt, readSpec, textAt } from './package-files.ts'
import { WorkRefusal } from './refusal.ts'

const MAX_DOCUMENTS = 5_000
/** Documents that the delivery lists with a remark. */
const MAX_LISTED = 200

/** Names under which the fields are delivered; a spec may ask for some of them. */
const FIELDS = ['number', 'date', 'currency', 'seller', 'buyer', 'sellerVatId', 'lines', 'net', 'tax', 'total'] as const
type Field = (typeof FIELDS)[number]

/**
 * Reads the fields of every document of a folder, profile `x-invoice-fields-v1`: one JSON object a document, in the order of
 * names, `null` for what it does not state, and what its arithmetic says. @throws WorkRefusal for a package that is no such work
 */
export async function work(order: WorkOrder): Promise<WorkProduct> {
  const spec = readSpec(order)
  const folder = textAt(mapAt(spec, 'input'), 'folder').replace(/\/$/, '')
  const output = textAt(mapAt(spec, 'output'), 'file')
  const wanted = readWanted(Object.keys(mapAt(spec, 'fields')))
  const paths = [...order.files.keys()].filter((path) => path.startsWith(`${folder}/`)).sort()
  if (paths.length === 0) throw new WorkRefusal(`the package has no documents in ${JSON.stringify(folder)}`)
  if (paths.length > MAX_DOCUMENTS)
    throw new WorkRefusal(`there are ${paths.length} documents, more than ${MAX_DOCUMENTS}`)
  const read = paths.map((path) => ({ file: path.slice(folder.length + 1), fields: readDocument(order, path) }))
  const rows = read.map(({ file, fields }) => JSON.stringify(rowOf(file, fields, wanted)))
  const files = new Map([
    [output, asFile(rows)],
    ['DELIVERY.md', asFile(describe(read))],
  ])
  const found = read.filter(({ fields }) => fields !== undefined)
  const doubtful = found.filter(({ fields }) => remarksOn(fields).length > 0).length
  const summary = `Read ${found.length} invoices out of ${paths.length} documents; the arithmetic of ${doubtful} does not hold.`
  return { files, summary }
}

function readWanted(names: readonly string[]): readonly Field[] {
  const unknown = names.find((name) => !FIELDS.some((field) => field === name))
  if (unknown !== undefined)
    throw new WorkRefusal(`the spec asks for a field ${JSON.stringify(unknown)}, which is not read here`)
  return FIELDS.filter((field) => names.includes(field))
}

function readDocument(order: WorkOrder, path: string): InvoiceFields | undefined {
  const document = readDocumentLines(path, order.files.get(path) ?? new Uint8Array())
  return document === undefined ? undefined : readInvoice(document)
}

function rowOf(file: string, fields: InvoiceFields | undefined, wanted: readonly Field[]) {
  const values = wanted.map((field): [string, unknown] => [
    field,
    fields === undefined ? null : valueOfField(fields, field),
  ])
  return { file, ...Object.fromEntries(values), checks: fields?.checks ?? null }
}

function valueOfField(fields: InvoiceFields, field: Field): unknown {
  switch (field) {
    case 'lines':
      return fields.lines.map(({ description, quantity, unitPrice, amount }) => ({
        description,
        quantity: written(quantity, 0),
        unitPrice: written(unitPrice, 2),
        amount: written(amount, 2),
      }))
    case 'net':
    case 'tax':
    case 'total':
      return written(fields[field], 2)
    default:
      return fields[field] ?? null
  }
}

function written(value: Decimal | undefined, digits: number): string | null {
  return value === undefined ? null : writeDecimal(value, digits)
}

function remarksOn(fields: InvoiceFields | undefined): readonly string[] {
  if (fields === undefined) return ['no invoice that could be read']
  const { lines, sum, total } = fields.checks
  return [
    ...(lines === 'differs' ? ['quantity times price is not the amount of each line'] : []),
    ...(sum === 'differs' ? ['the lines do not add up to the net sum'] : []),
    ...(total === 'differs' ? ['net and tax do not add up to the total'] : []),
  ]
}

function describe(
  read: readonly { readonly file: string; readonly fields: InvoiceFields | undefined }[],
): readonly string[] {
  const remarks = read.flatMap(({ file, fields }) =>
    remarksOn(fields).map((remark) => `- ${JSON.stringify(file)}: ${remark}`),
  )
  const omitted = remarks.length - MAX_LISTED
  return [
    '# Fields of invoices',
    '',
    `${read.length} documents, one object each, in the order of their names.`,
    '',
    '## Limits',
    '',
    'A program read labels in English, German, French and Dutch, in text, e-mail, CSV and simple HTML. Scans and PDF are not read.',
    'What no label names is null. Amounts are as printed; the following documents want a look.',
    '',
    ...(remarks.length === 0 ? ['None.'] : remarks.slice(0, MAX_LISTED)),
    ...(omitted > 0 ? [`- and ${omitted} more`] : []),
  ]
}
