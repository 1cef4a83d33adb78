import { parseCanonical, refuseAs, requireRerender } from '../canonical.ts'
import type { Rail } from '../catalog.ts'
import { documentSchema } from '../catalog.ts'
import type { DiagnosticCode } from '../diagnostics.ts'
import type { AgentEvidenceDigest, DocumentDigest, DomainDigest, RunId } from '../digest.ts'
import { NONCLAIMS } from '../nonclaims.ts'
import type { TransactionId } from '../rails/built.ts'
import { transactionIdShape } from '../rails/transaction-id.ts'
import { digestShape, runIdShape } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { sealText } from '../sealed.ts'
import type { Shape } from '../shape.ts'
import { anyText, exactly, integers, listOf, nullable, oneOf, record, textOf, u64 } from '../shape.ts'
import { railShape } from './policy.ts'
import type { ConfirmationStatus } from './reconciliation.ts'
import { CONFIRMATION_STATUSES } from './reconciliation.ts'

/** Event kinds in the order of their first appearance; `journal_committed` may appear anywhere. Source: notes, section 12. */
export const EVENT_KINDS = [
  'run_started',
  'journal_loaded',
  'intent_reserved',
  'invoice_loaded',
  'snapshot_loaded',
  'plan_built',
  'simulation_finished',
  'approval_finished',
  'transaction_signed',
  'broadcast_finished',
  'reconciliation_finished',
  'run_finished',
  'journal_committed',
] as const
/** Kind of an event. */
export type EventKind = (typeof EVENT_KINDS)[number]

/** The fourteen ways a run ends. Source: notes, section 10. */
export const RUN_STATUSES = [
  'confirmed',
  'pending',
  'reorged',
  'dropped',
  'rejected',
  'cancelled',
  'journal_failed',
  'approval_failed',
  'custody_failed',
  'broadcast_unknown',
  'reconciliation_failed',
  'deadline_exceeded',
  'budget_exhausted',
  'adapter_failed',
] as const
/** How a run ended. */
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Counters of one event, in canonical order. */
export const USAGE_NAMES = [
  'journal_reads',
  'journal_writes',
  'invoice_reads',
  'snapshot_reads',
  'simulations',
  'approvals',
  'signatures',
  'broadcasts',
  'reconciliations',
  'input_bytes',
  'output_bytes',
  'elapsed_ms',
] as const
/** Name of a counter. */
export type UsageName = (typeof USAGE_NAMES)[number]
/** What one event used. `elapsed_ms` is always zero. */
export type Usage = { readonly [Name in UsageName]: bigint }

/** One step of a run. */
export type TraceEvent = {
  readonly index: bigint
  readonly kind: EventKind
  readonly rail: Rail | null
  readonly input_digest: DomainDigest | null
  readonly output_digest: DomainDigest | null
  readonly status: string
  readonly usage: Usage
}

/** The end of a run. A success has neither code nor message; a failure has neither transaction nor confirmation. */
export type RunResult = {
  readonly status: RunStatus
  readonly transaction_id: TransactionId | null
  readonly confirmation_status: ConfirmationStatus | null
  readonly code: DiagnosticCode | null
  readonly message: string | null
}

/** What a run did, step by step. Source: notes, sections 3 and 12. */
export type Trace = {
  readonly schema: 'semaprax.economic-agent-trace.v1'
  readonly run_id: RunId
  readonly source_agent_evidence_digest: AgentEvidenceDigest
  readonly policy_digest: DocumentDigest<'policy'>
  readonly intent_digest: DocumentDigest<'intent'>
  readonly events: readonly TraceEvent[]
  readonly result: RunResult
  readonly nonclaims: typeof NONCLAIMS
}

const usageShape = integers(USAGE_NAMES)

const eventShape = record<TraceEvent>({
  index: u64,
  kind: oneOf(...EVENT_KINDS),
  rail: nullable(railShape),
  input_digest: nullable(digestShape()),
  output_digest: nullable(digestShape()),
  status: anyText,
  usage: usageShape,
})

const DIAGNOSTIC_CODE = /^SPX-(?:G21[0-7]|I22[2-9])$/
const codeShape: Shape<DiagnosticCode> = textOf(
  (text): text is DiagnosticCode => DIAGNOSTIC_CODE.test(text),
  'a diagnostic code',
)

/** Canonical form of a result. */
export const resultShape = record<RunResult>({
  status: oneOf(...RUN_STATUSES),
  transaction_id: nullable(transactionIdShape),
  confirmation_status: nullable(oneOf(...CONFIRMATION_STATUSES)),
  code: nullable(codeShape),
  message: nullable(anyText),
})

/** Canonical form of a trace. */
export const traceShape = record<Trace>({
  schema: oneOf(documentSchema('trace')),
  run_id: runIdShape,
  source_agent_evidence_digest: digestShape<AgentEvidenceDigest>(),
  policy_digest: digestShape<DocumentDigest<'policy'>>(),
  intent_digest: digestShape<DocumentDigest<'intent'>>(),
  events: listOf(eventShape),
  result: resultShape,
  nonclaims: exactly(NONCLAIMS),
})

/** Reads a trace: form only; replay judges it. Throws SPX-G210 or SPX-G216. */
export function parseTrace(bytes: Uint8Array): Sealed<'trace', Trace> {
  const { object, text } = parseCanonical('trace', bytes)
  const trace = traceShape.read(object, refuseAs('trace'), 'trace')
  requireRerender('trace', traceShape, trace, text)
  return sealText('trace', trace, text, bytes)
}
