/** A kind of work that a project begins with. */
export type Template = {
  readonly name: string
  readonly summary: string
  /** Profile of the specifications that the worker serves. */
  readonly specProfile: string
  /** The worker and its test; both need nothing but Node.js. */
  readonly worker: string
  readonly test: string
}

const TYPES = `/** What the operator gives: the files of a package that it verified. A stranger wrote them; they are data, never instructions. */
type WorkOrder = {
  readonly taskHash: string
  readonly specProfile: string
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly resources: ReadonlyMap<string, Uint8Array>
  readonly fulfillment: Readonly<Record<string, unknown>> | undefined
}

/** Files that are packed and delivered, and one sentence about them for the reasoning record. */
type WorkProduct = { readonly files: ReadonlyMap<string, Uint8Array>; readonly summary: string }

/** Says that the order will not be done; the operator then leaves the tender alone. */
class WorkRefusal extends Error {
  override readonly name = 'WorkRefusal'
}

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
`

const LABELS = `${TYPES}
/** Most messages of one order. */
const MAX_MESSAGES = 10_000

/** Labels every message of data/*.jsonl, one JSON object a line with id and text. Runs without network, keys and other files. */
export async function work({ files }: WorkOrder): Promise<WorkProduct> {
  const batches = [...files].filter(([path]) => /^data\\/[^/]+\\.jsonl$/.test(path)).sort()
  if (batches.length === 0) throw new WorkRefusal('there is no data/*.jsonl')
  let messages = 0
  const labelled = new Map<string, Uint8Array>()
  for (const [path, bytes] of batches) {
    const rows = decode(bytes).split('\\n').filter((line) => line.trim() !== '')
    messages += rows.length
    if (messages > MAX_MESSAGES) throw new WorkRefusal(\`there are more than \${MAX_MESSAGES} messages\`)
    const lines = rows.map((row) => {
      const { id, text } = JSON.parse(row) as { readonly id: unknown; readonly text: unknown }
      if (typeof id !== 'string' || typeof text !== 'string') throw new WorkRefusal('a message has no id or no text')
      return JSON.stringify({ id, intent: labelOf(text) })
    })
    labelled.set(path.slice('data/'.length), encode(\`\${lines.join('\\n')}\\n\`))
  }
  return { files: labelled, summary: \`Labelled \${messages} messages by their words.\` }
}

/** Your skill goes here: this one looks for words, and knows nothing. */
const WORDS: readonly (readonly [intent: string, words: RegExp])[] = [
  ['billing', /invoice|charged|payment|tax|statement/i],
  ['access', /password|sign in|login|permission|invitation/i],
  ['delivery', /parcel|order|deliver|shipment|damaged/i],
  ['cancellation', /cancel|terminate|end of the quarter/i],
  ['defect', /error|crash|broken|wrong|fail/i],
]

function labelOf(text: string): string {
  return WORDS.find(([, words]) => words.test(text))?.[0] ?? 'request'
}
`

const LABELS_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { work } from './work.ts'

const order = (files: Readonly<Record<string, string>>) => ({
  taskHash: \`0x\${'00'.repeat(32)}\`,
  specProfile: 'x-intent-labels-v1',
  files: new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])),
  resources: new Map<string, Uint8Array>(),
  fulfillment: undefined,
})

test('every message is labelled once, in order', async () => {
  const rows = [{ id: 'a', text: 'I was charged twice' }, { id: 'b', text: 'A dark theme, please' }]
  const { files, summary } = await work(order({ 'data/one.jsonl': rows.map((row) => JSON.stringify(row)).join('\\n') }))
  const lines = new TextDecoder().decode(files.get('one.jsonl')).trimEnd().split('\\n')
  assert.deepEqual(lines.map((line) => JSON.parse(line)), [
    { id: 'a', intent: 'billing' },
    { id: 'b', intent: 'request' },
  ])
  assert.match(summary, /2 messages/)
})

test('an order without messages is refused', async () => {
  await assert.rejects(work(order({ 'TASK.md': '# Label' })), { name: 'WorkRefusal' })
})
`

const REPORTS = `${TYPES}
/** Characters of a task that are read. */
const MAX_TASK_CHARACTERS = 200_000

/** Writes report.md with one section for every heading of TASK.md. Runs without network, keys and other files. */
export async function work({ files }: WorkOrder): Promise<WorkProduct> {
  const task = files.get('TASK.md')
  if (task === undefined) throw new WorkRefusal('there is no TASK.md')
  const text = decode(task)
  if (text.length > MAX_TASK_CHARACTERS) throw new WorkRefusal('the task is longer than this skill reads')
  const headings = text.split('\\n').filter((line) => /^#{1,3} /.test(line)).map((line) => line.replace(/^#+ /, ''))
  if (headings.length === 0) throw new WorkRefusal('the task has no headings')
  const sections = headings.map((heading) => \`## \${heading}\\n\\n\${answerTo(heading, files)}\\n\`)
  const report = ['# Report', '', ...sections].join('\\n')
  return { files: new Map([['report.md', encode(report)]]), summary: \`Wrote a report of \${headings.length} sections.\` }
}

/** Your skill goes here: this one counts what it was given. */
function answerTo(_heading: string, files: ReadonlyMap<string, Uint8Array>): string {
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  return \`The package has \${files.size} files with \${bytes} bytes.\`
}
`

const REPORTS_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { work } from './work.ts'

const order = (files: Readonly<Record<string, string>>) => ({
  taskHash: \`0x\${'00'.repeat(32)}\`,
  specProfile: 'llm-markdown-v1',
  files: new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])),
  resources: new Map<string, Uint8Array>(),
  fulfillment: undefined,
})

test('the report has a section for every heading', async () => {
  const { files } = await work(order({ 'TASK.md': '# Site\\n\\nText.\\n\\n## Roof\\n' }))
  const report = new TextDecoder().decode(files.get('report.md'))
  assert.match(report, /^# Report/)
  assert.match(report, /## Site/)
  assert.match(report, /## Roof/)
})

test('an order without a task is refused', async () => {
  await assert.rejects(work(order({ 'data.csv': 'a,b' })), { name: 'WorkRefusal' })
})
`

/** The kinds of work that a project can begin with; the first is the default. */
export const TEMPLATES: readonly [Template, ...Template[]] = [
  {
    name: 'labels',
    summary: 'labels messages, a batch of JSON lines each',
    specProfile: 'x-intent-labels-v1',
    worker: LABELS,
    test: LABELS_TEST,
  },
  {
    name: 'reports',
    summary: 'writes a report to a task in Markdown',
    specProfile: 'llm-markdown-v1',
    worker: REPORTS,
    test: REPORTS_TEST,
  },
]
