import type { WorkOrder, WorkProduct } from '../worker.ts'
import { type Labelled, type LabelSpec, labelMessages } from './label-model.ts'
import { asFile, isMap, mapAt, readSpec, textAt, textOf } from './package-files.ts'
import { WorkRefusal } from './refusal.ts'
import type { SpecMap } from './spec-yaml.ts'

/** Messages of one package. */
const MAX_MESSAGES = 100_000
const MAX_LABELS = 200
const MAX_TEXT_CHARACTERS = 20_000
/** Labels below this distance from the second best are listed as doubtful. */
const DOUBTFUL_MARGIN = 0.15
/** Problems and doubtful labels that the delivery lists; the rest is counted. */
const MAX_LISTED = 100

/** What the spec says: which files, which fields, which labels. */
type Plan = {
  readonly inputs: readonly { readonly input: string; readonly output: string }[]
  readonly idField: string
  readonly textField: string
  readonly labelField: string
  readonly labels: readonly LabelSpec[]
}

type Row = { readonly id: string; readonly text: string }
type Batch = { readonly output: string; readonly rows: readonly Row[]; readonly problems: readonly string[] }

/**
 * Gives each message of the package's data files one label of its spec, profile `x-intent-labels-v1`. A row that cannot be
 * read is reported and left out. @throws WorkRefusal for a package that is no such work
 */
export async function work(order: WorkOrder): Promise<WorkProduct> {
  const plan = readPlan(order)
  const batches = plan.inputs.map(({ input, output }) => readBatch(order, plan, input, output))
  const rows = batches.flatMap((batch) => batch.rows)
  if (rows.length === 0) throw new WorkRefusal('no message could be read')
  if (rows.length > MAX_MESSAGES) throw new WorkRefusal(`there are ${rows.length} messages, more than ${MAX_MESSAGES}`)
  const labelled = labelMessages(
    plan.labels,
    rows.map(({ text }) => text),
  )
  const files = new Map<string, Uint8Array>()
  let at = 0
  for (const { output, rows: own } of batches) {
    const lines = own.map(({ id }, index) =>
      JSON.stringify({ [plan.idField]: id, [plan.labelField]: labelled[at + index]?.label ?? '' }),
    )
    at += own.length
    files.set(output, asFile(lines))
  }
  const problems = batches.flatMap((batch) => batch.problems)
  files.set('DELIVERY.md', asFile(describe(plan, rows, labelled, problems)))
  const doubtful = labelled.filter(({ margin }) => margin < DOUBTFUL_MARGIN).length
  const summary = `Labelled ${rows.length} messages with ${plan.labels.length} labels, ${doubtful} of them doubtfully; ${problems.length} rows could not be read.`
  return { files, summary }
}

function readPlan(order: WorkOrder): Plan {
  const spec = readSpec(order)
  const input = mapAt(spec, 'input')
  const output = mapAt(spec, 'output')
  const inputFields = Object.keys(mapAt(input, 'fields'))
  const outputFields = Object.keys(mapAt(output, 'fields'))
  const idField = outputFields.find((field) => inputFields.includes(field))
  const labelField = outputFields.find((field) => !inputFields.includes(field))
  const textField = inputFields.find((field) => field !== idField)
  if (idField === undefined || labelField === undefined || textField === undefined || outputFields.length !== 2)
    throw new WorkRefusal('the spec does not ask for one label for each id')
  return {
    inputs: matchFiles(order, textAt(input, 'file'), textAt(output, 'file')),
    ...{ idField, textField, labelField },
    labels: readLabels(spec, labelField),
  }
}

/** The labels stand under the field's name in the plural, or under `labels`. */
function readLabels(spec: SpecMap, labelField: string): readonly LabelSpec[] {
  const key = [`${labelField}s`, 'labels'].find((candidate) => isMap(spec[candidate]))
  if (key === undefined) throw new WorkRefusal(`the spec has no map of ${labelField}s`)
  const labels = Object.entries(mapAt(spec, key)).map(([name, description]): LabelSpec => {
    if (typeof description !== 'string') throw new WorkRefusal('a label has no description in words')
    return { name, description }
  })
  if (labels.length < 2 || labels.length > MAX_LABELS)
    throw new WorkRefusal(`the spec has ${labels.length} labels, expected 2 to ${MAX_LABELS}`)
  return labels
}

/** Files of the package that fit the input's pattern, in which `{n}` stands for a number, in the order of these numbers. */
function matchFiles(order: WorkOrder, input: string, output: string): Plan['inputs'] {
  const [before = '', after] = input.split('{n}')
  if (after === undefined) return order.files.has(input) ? [{ input, output }] : refuseFiles(input)
  const numbers = [...order.files.keys()]
    .filter((path) => path.startsWith(before) && path.endsWith(after))
    .map((path) => path.slice(before.length, path.length - after.length))
    .filter((middle) => /^[0-9]{1,9}$/.test(middle))
    .sort((left, right) => Number(left) - Number(right))
  if (numbers.length === 0 || !output.includes('{n}')) return refuseFiles(input)
  return numbers.map((number) => ({ input: `${before}${number}${after}`, output: output.replace('{n}', number) }))
}

function refuseFiles(input: string): never {
  throw new WorkRefusal(`the package has no files of the pattern ${JSON.stringify(input)} with places for their output`)
}

function readBatch(order: WorkOrder, plan: Plan, input: string, output: string): Batch {
  const rows: Row[] = []
  const problems: string[] = []
  const seen = new Set<string>()
  for (const [index, line] of (textOf(order, input) ?? '').split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const row = readRow(line, plan)
    if (typeof row === 'string') problems.push(`${input}, line ${index + 1}: ${row}`)
    else if (seen.has(row.id)) problems.push(`${input}, line ${index + 1}: an id that was there before`)
    else {
      seen.add(row.id)
      rows.push(row)
    }
  }
  return { output, rows, problems }
}

function readRow(line: string, { idField, textField }: Plan): Row | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'no JSON'
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'no object'
  const id: unknown = Object.hasOwn(value, idField) ? (value as Record<string, unknown>)[idField] : undefined
  const text: unknown = Object.hasOwn(value, textField) ? (value as Record<string, unknown>)[textField] : undefined
  if (typeof id !== 'string' || id === '' || id.length > 200) return `no ${idField} of 1 to 200 characters`
  if (typeof text !== 'string') return `no ${textField}`
  return { id, text: text.slice(0, MAX_TEXT_CHARACTERS) }
}

function describe(
  plan: Plan,
  rows: readonly Row[],
  labelled: readonly Labelled[],
  problems: readonly string[],
): readonly string[] {
  const doubtful = rows.flatMap(({ id }, index) => {
    const found = labelled[index]
    return found === undefined || found.margin >= DOUBTFUL_MARGIN ? [] : [`${JSON.stringify(id)}: ${found.label}`]
  })
  const counts = plan.labels.map(({ name }) => `| ${name} | ${labelled.filter(({ label }) => label === name).length} |`)
  return [
    '# Labels',
    '',
    `${rows.length} messages, one label each, in the order of the input.`,
    '',
    '| label | messages |',
    '|---|---:|',
    ...counts,
    '',
    '## Limits',
    '',
    "A program labelled by words: those of each label's name and description, and a general English vocabulary. It does not",
    'understand negation, irony or other languages. The labels below were close to another one.',
    '',
    ...list(doubtful),
    '',
    '## Rows that could not be read',
    '',
    ...list(problems),
  ]
}

function list(items: readonly string[]): readonly string[] {
  if (items.length === 0) return ['None.']
  const omitted = items.length - MAX_LISTED
  return [...items.slice(0, MAX_LISTED).map((item) => `- ${item}`), ...(omitted > 0 ? [`- and ${omitted} more`] : [])]
}
