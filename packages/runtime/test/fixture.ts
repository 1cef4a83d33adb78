import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { profileShape, readAgent, type SourceRunBytes, sealSourceRun, taskShape } from '@oikos/core/economic'

/** Recorded outcomes and documents of the public reference: beside the repository, or where `OIKOS_CONFORMANCE` says. */
const conformance = process.env['OIKOS_CONFORMANCE'] ?? resolve(import.meta.dirname, '../../../../shared/conformance')
const folder = join(conformance, 'economic-agent')

/** Whether the recorded outcomes are here; tests that need them skip visibly where they are not. */
export const hasGolden = existsSync(join(folder, 'golden', 'happy.json'))

/** A recorded outcome, as far as tests read it. */
export type GoldenRow = {
  readonly name: string
  readonly outcome?: 'run' | 'diagnostics' | 'new_diagnostics'
  readonly status?: string
  readonly transaction_id?: string | null
  readonly confirmation_status?: string | null
  readonly code?: string | null
  readonly message?: string | null
  readonly events?: readonly string[]
  readonly trace_digest?: string
  readonly evidence_digest?: string
  readonly used_builder_bytes?: number
  readonly used_elapsed_ms?: number
  readonly used_journal_bytes?: number
  readonly used_reconciliations?: number
  readonly calls?: readonly string[]
  readonly rolling?: readonly string[]
  readonly journals?: readonly string[]
  readonly pushes?: readonly boolean[]
  readonly signed_hex?: string
  readonly result?: string
}

/** A run with all its inputs and documents. */
export type HappyRow = GoldenRow & {
  readonly policy: string
  readonly intent: string
  readonly invoice: string | null
  readonly source: { readonly run_id: string; readonly evidence_digest: string; readonly evidence_bytes: number }
  readonly documents: Readonly<Record<string, string>>
  readonly journal_documents: readonly string[]
  readonly trace: string
  readonly evidence: string
  readonly signed_hex: string
  readonly unsigned_hex: string
}

/** Reads one file of recorded outcomes; empty where there is none. */
export function readGolden<Row extends GoldenRow = GoldenRow>(name: string): readonly Row[] {
  if (!hasGolden) return []
  return JSON.parse(readFileSync(join(folder, 'golden', `${name}.json`), 'utf8')) as readonly Row[]
}

/** Reads a document of the frozen ledger. */
function readDocument(name: string): string {
  return readFileSync(join(folder, 'documents', `${name}.json`), 'utf8')
}

/** The recorded confirmed run of a name. */
export function happyRow(name: string): HappyRow {
  const row = readGolden<HappyRow>('happy').find((candidate) => candidate.name === name)
  if (row === undefined) throw new Error(`golden happy run: got none called ${name}`)
  return row
}

/** The source run of the fixture that ends with an intent. */
export function sourceOf(intent: string): SourceRunBytes {
  const read = (name: string) => Buffer.from(readDocument(`agent-runtime.${name}`), 'utf8')
  const profile = readAgent('profile', profileShape, read('profile')).document
  const task = readAgent('task', taskShape, read('task')).document
  const model = profile.models[0]
  if (model === undefined) throw new Error('fixture profile: got no model')
  const run = sealSourceRun({ profile, task, model, finalMessage: intent })
  return { evidence: run.evidenceDocument.bytes, finalMessage: Buffer.from(intent, 'utf8') }
}
