import { replayMismatch } from '../diagnostics.ts'
import type { Evidence, ReadEvidence } from '../documents/evidence.ts'
import type { EventKind, Trace, TraceEvent } from '../documents/trace.ts'
import { parseTrace, resultShape } from '../documents/trace.ts'
import { quote } from '../json.ts'
import type { BudgetName, LimitName } from '../limits.ts'
import type { Sealed } from '../sealed.ts'
import { utf8 } from '../text.ts'
import { eventsByKind, traceFault } from '../trace/replay.ts'
import { isObservedStatus } from '../trace/result.ts'

/** Evidence with the trace that it carries. */
export type ReplayedEvidence = {
  readonly evidence: ReadEvidence
  readonly trace: Sealed<'trace', Trace>
}

/**
 * Replays Evidence on its own: the trace that it carries, its references against the steps of the trace, its result and
 * its counters. Throws SPX-G217, or SPX-G210 when the trace inside is not canonical. Source: notes, section 12.
 */
export function replayEvidence(evidence: ReadEvidence): ReplayedEvidence {
  const capsule = evidence.document.trace
  const trace = parseTrace(utf8(capsule.document))
  const fault =
    capsuleFault(evidence.document, trace) ??
    traceFault(trace.document) ??
    identityFault(evidence.document, trace.document) ??
    referenceFault(evidence.document, trace.document) ??
    budgetFault(evidence, trace)
  if (fault !== undefined) throw replayMismatch(fault)
  return { evidence, trace }
}

function capsuleFault({ trace: capsule }: Evidence, trace: Sealed<'trace', Trace>): string | undefined {
  if (capsule.digest !== trace.digest) return 'trace: another digest'
  return capsule.bytes === BigInt(trace.bytes.length) ? undefined : 'trace: another length'
}

function identityFault(evidence: Evidence, trace: Trace): string | undefined {
  if (evidence.run_id !== trace.run_id) return 'run_id: Evidence and Trace differ'
  if (evidence.source_agent.digest !== trace.source_agent_evidence_digest) return 'source_agent: another digest'
  if (evidence.policy.digest !== trace.policy_digest) return 'policy: another digest'
  if (evidence.intent.digest !== trace.intent_digest) return 'intent: another digest'
  const same = resultShape.write(evidence.result, quote) === resultShape.write(trace.result, quote)
  return same ? undefined : 'result: Evidence and Trace differ'
}

/** Each reference is what its step gave; a step that gave something has its reference. */
function referenceFault(evidence: Evidence, trace: Trace): string | undefined {
  const events = eventsByKind(trace)
  const outputs: readonly (readonly [string, EventKind, { digest: string; bytes: bigint } | null])[] = [
    ['x402_invoice', 'invoice_loaded', evidence.x402_invoice],
    ['plan', 'plan_built', evidence.plan],
    ['simulation', 'simulation_finished', evidence.simulation],
    ['approval', 'approval_finished', evidence.approval],
  ]
  for (const [name, kind, ref] of outputs) {
    const output = events.get(kind)?.output_digest ?? null
    if ((ref?.digest ?? null) !== output) return `${name}: not what ${kind} gave`
  }
  for (const [name, kind, ref] of outputs) {
    const event = events.get(kind)
    if (ref !== null && event !== undefined && kind !== 'plan_built' && event.usage.output_bytes !== ref.bytes)
      return `${name}: not the length that ${kind} read`
  }
  return receiptFault(evidence, events) ?? journalFault(evidence, trace, events)
}

/**
 * Evidence names the receipt that the host delivered, or, where it gave none, perhaps the provisional one; a success names
 * receipt and observation.
 */
function receiptFault(evidence: Evidence, events: ReadonlyMap<EventKind, TraceEvent>): string | undefined {
  const { broadcast: receipt, reconciliation } = evidence
  const broadcast = events.get('broadcast_finished')
  const delivered = broadcast !== undefined && broadcast.usage.output_bytes > 0n
  if (receipt !== null && broadcast !== undefined && broadcast.output_digest !== receipt.digest)
    return 'broadcast: not the receipt of the trace'
  const observed = events.get('reconciliation_finished')
  if (receipt !== null && observed !== undefined && observed.input_digest !== receipt.digest)
    return 'broadcast: not the receipt that was reconciled'
  if (!isObservedStatus(evidence.result.status)) return undefined
  if (delivered && receipt === null) return 'broadcast: missing'
  if (reconciliation === null) return 'reconciliation: missing'
  return observed === undefined || observed.output_digest === reconciliation.digest
    ? undefined
    : 'reconciliation: not what was observed'
}

/** Evidence names the last journal that was written, or else the one that was loaded. */
function journalFault(
  evidence: Evidence,
  trace: Trace,
  events: ReadonlyMap<EventKind, TraceEvent>,
): string | undefined {
  const committed = trace.events.filter((event) => event.kind === 'journal_committed' && event.status === 'committed')
  const last = committed.at(-1)
  const reserved = events.get('intent_reserved')
  if (
    reserved !== undefined &&
    reserved.output_digest !== null &&
    committed[0]?.input_digest !== reserved.output_digest
  )
    return 'intent_reserved: not the first journal'
  const loaded = events.get('journal_loaded')
  const [digest, bytes] =
    last === undefined
      ? [loaded?.output_digest ?? null, loaded?.usage.output_bytes]
      : [last.input_digest, last.usage.input_bytes]
  // Nothing stored and nothing loaded: Evidence names the version 0 that was never written.
  if (digest === null) return undefined
  if (evidence.journal.digest !== digest) return 'journal: not the last that was written or loaded'
  return evidence.journal.bytes === bytes ? undefined : 'journal: another length'
}

/** Counters and the limit that bounds each. */
const BOUNDS: readonly (readonly [BudgetName, LimitName])[] = [
  ['used_policy_bytes', 'max_policy_bytes'],
  ['used_intent_bytes', 'max_intent_bytes'],
  ['used_invoice_bytes', 'max_invoice_bytes'],
  ['used_snapshot_bytes', 'max_snapshot_bytes'],
  ['used_plan_bytes', 'max_plan_bytes'],
  ['used_simulation_bytes', 'max_simulation_bytes'],
  ['used_approval_request_bytes', 'max_approval_request_bytes'],
  ['used_approval_bytes', 'max_approval_bytes'],
  ['used_journal_bytes', 'max_journal_bytes'],
  ['used_unsigned_transaction_bytes', 'max_unsigned_transaction_bytes'],
  ['used_signed_transaction_bytes', 'max_signed_transaction_bytes'],
  ['used_broadcast_receipt_bytes', 'max_broadcast_receipt_bytes'],
  ['used_reconciliation_bytes', 'max_reconciliation_bytes'],
  ['used_trace_events', 'max_trace_events'],
  ['used_trace_bytes', 'max_trace_bytes'],
  ['used_evidence_bytes', 'max_evidence_bytes'],
  ['used_builder_bytes', 'max_builder_bytes'],
  ['used_network_policies', 'max_network_policies'],
  ['used_x402_origins', 'max_x402_origins'],
  ['used_utxos', 'max_utxos'],
  ['used_reconciliations', 'max_reconciliations'],
  ['used_elapsed_ms', 'max_elapsed_ms'],
  ['used_concurrency', 'max_concurrency'],
  ['used_unexpected_authority_calls', 'max_unexpected_authority_calls'],
]

function budgetFault(evidence: ReadEvidence, trace: Sealed<'trace', Trace>): string | undefined {
  const { budget, limits } = evidence.document
  const expected = expectedCounters(evidence, trace)
  const wrong = (Object.keys(expected) as BudgetName[]).find((name) => budget[name] !== expected[name])
  if (wrong !== undefined) return `budget.${wrong}: got ${budget[wrong]}, expected ${expected[wrong]}`
  const over = BOUNDS.find(([used, maximum]) => budget[used] > limits[maximum])
  if (over !== undefined) return `budget.${over[0]}: got ${budget[over[0]]}, more than ${limits[over[1]]}`
  if (budget.used_builder_bytes < budget.used_trace_bytes + budget.used_evidence_bytes)
    return 'budget.used_builder_bytes: less than Trace and Evidence'
  const observed = trace.document.events.filter((event) => event.kind === 'reconciliation_finished').length
  return budget.used_reconciliations < BigInt(observed) ? 'budget.used_reconciliations: too few' : undefined
}

/**
 * Whether the run signed and has read no receipt. It may name the provisional one, and the reference counts that as zero
 * bytes; a run that only observes counts it.
 */
function isUnanswered(events: ReadonlyMap<EventKind, TraceEvent>): boolean {
  const delivered = (events.get('broadcast_finished')?.usage.output_bytes ?? 0n) > 0n
  return events.has('transaction_signed') && !delivered
}

/** The counters that follow from Evidence itself. */
function expectedCounters(
  evidence: ReadEvidence,
  trace: Sealed<'trace', Trace>,
): { readonly [Name in BudgetName]?: bigint } {
  const { document } = evidence
  const events = eventsByKind(trace.document)
  const isUncounted = isUnanswered(events) && document.budget.used_broadcast_receipt_bytes === 0n
  const length = (ref: { readonly bytes: bigint } | null) => ref?.bytes ?? 0n
  const read = (kind: EventKind) => events.get(kind)?.usage.output_bytes ?? 0n
  return {
    used_policy_bytes: document.policy.bytes,
    used_intent_bytes: document.intent.bytes,
    used_invoice_bytes: length(document.x402_invoice),
    used_snapshot_bytes: read('snapshot_loaded'),
    used_plan_bytes: length(document.plan),
    used_simulation_bytes: length(document.simulation),
    used_approval_bytes: length(document.approval),
    used_journal_bytes: document.journal.bytes,
    used_broadcast_receipt_bytes: isUncounted ? 0n : length(document.broadcast),
    used_reconciliation_bytes: length(document.reconciliation),
    used_trace_events: BigInt(trace.document.events.length),
    used_trace_bytes: BigInt(trace.bytes.length),
    used_evidence_bytes: BigInt(evidence.bytes.length),
    used_concurrency: 1n,
    used_unexpected_authority_calls: 0n,
  }
}
