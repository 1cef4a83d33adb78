import {
  boundaryFailure,
  type EventFacts,
  type EventKind,
  failureResult,
  limitExceeded,
  notCanonical,
  type ReadJournal,
  type RunResult,
  type TraceEvent,
  traceEvent,
} from '@oikos/core/economic'
import { sealRun } from './run-documents.ts'
import type { Session } from './session.ts'

/** More than any event takes in a trace: its keys, two digests, and every counter at 20 digits. */
const EVENT_ROOM_BYTES = 1024n
/** More than a trace takes besides its events, and Evidence besides its trace: nonclaims, limits, references, result. */
const FRAME_ROOM_BYTES = 16_384n

/** The longest message that can end a run, so that every other one fits, too. */
const LONGEST_FAILURE = failureResult(notCanonical('reconciliation'))
const SHORTEST_FAILURE = failureResult(boundaryFailure('SPX-I228'))

/** The last version after which a run that fails may still write the end of the payment. */
const LAST_ENDABLE_VERSION = 3n

/**
 * Throws SPX-G216 `trace_events`, `trace_bytes` or `evidence_bytes` unless Trace and Evidence can take `facts`, one last
 * write of the journal where it is still possible, and the end. So a limit that is too small stops a run before an
 * effect, not after it (D15).
 */
export function requireRoom(session: Session, facts: readonly EventFacts[], result: RunResult = LONGEST_FAILURE): void {
  const { journal } = session.held
  const lastWrite = journal.document.version <= LAST_ENDABLE_VERSION ? [writeOf(journal)] : []
  requireRecord(session, [...facts, ...lastWrite], result)
}

/** The event that writing a journal causes. */
export function writeOf(journal: ReadJournal): EventFacts {
  return {
    kind: 'journal_committed',
    status: 'committed',
    input: journal.digest,
    inputBytes: journal.bytes.length,
  }
}

/** An event that a call causes, as large as it can be when the adapter delivers `maxOutputBytes`. */
export function largestEvent({ admission }: Session, maxOutputBytes: bigint): EventFacts {
  const { digest } = admission.policy
  const outputBytes = Number(maxOutputBytes)
  return { kind: 'reconciliation_finished', status: 'confirmed', input: digest, output: digest, outputBytes }
}

/**
 * Refuses a payment whose complete run could not be recorded under the policy, before its first effect: as many events
 * as it needs, each as short as it can be. Throws as {@link requireRoom}.
 */
export function requireWholeRun(session: Session): void {
  const { admission, held } = session
  const { digest } = admission.policy
  const step = (kind: EventKind, status: string): EventFacts => ({ kind, status, input: digest, output: digest })
  const write = writeOf(held.journal)
  const invoice = admission.x402 === null ? [] : [step('invoice_loaded', 'loaded')]
  const facts = [
    { kind: 'journal_loaded', status: 'missing' } as const,
    ...[write, step('intent_reserved', 'reserved'), ...invoice, step('snapshot_loaded', 'loaded')],
    ...[step('plan_built', 'built'), step('simulation_finished', 'succeeded'), write],
    ...[step('approval_finished', 'approved'), write, write, step('transaction_signed', 'signed'), write],
    ...[write, step('broadcast_finished', 'pending'), write],
    ...[write, step('reconciliation_finished', 'pending'), write],
  ]
  requireRecord(session, facts, SHORTEST_FAILURE)
}

function requireRecord(session: Session, facts: readonly EventFacts[], result: RunResult): void {
  const { limits, events, admission } = session
  const count = BigInt(events.list.length + facts.length + 1)
  if (count > limits.max_trace_events) throw limitExceeded('trace_events', limits.max_trace_events)
  if (fitsAnyway(count, session)) return
  const all: TraceEvent[] = [...events.list]
  const end: EventFacts = { kind: 'run_finished', status: result.status }
  for (const fact of [...facts, end]) all.push(traceEvent(all.length, admission.settlement.rail, fact))
  sealRun(session, all, result, limits.max_elapsed_ms)
}

/** Quotes double when the trace is put into Evidence, so it counts twice there. Spares sealing under usual limits. */
function fitsAnyway(eventCount: bigint, { limits }: Session): boolean {
  const traceBytes = eventCount * EVENT_ROOM_BYTES + FRAME_ROOM_BYTES
  return traceBytes <= limits.max_trace_bytes && 2n * traceBytes + FRAME_ROOM_BYTES <= limits.max_evidence_bytes
}
