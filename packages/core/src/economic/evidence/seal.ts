import type { Admission } from '../admission.ts'
import type { Meter } from '../canonical.ts'
import { renderCanonical } from '../canonical.ts'
import { documentSchema } from '../catalog.ts'
import { limitExceeded, replayMismatch } from '../diagnostics.ts'
import type { Evidence } from '../documents/evidence.ts'
import { evidenceShape } from '../documents/evidence.ts'
import type { RunResult, Trace, TraceEvent } from '../documents/trace.ts'
import { traceShape } from '../documents/trace.ts'
import type { Budget } from '../limits.ts'
import { NONCLAIMS } from '../nonclaims.ts'
import type { Sealed } from '../sealed.ts'
import { capsuleOf, refOf, seal } from '../sealed.ts'
import { utf8Length } from '../text.ts'

/** Rounds after which the length of Evidence must have settled; its digits make it settle in a few. Source: notes, section 12. */
const MAX_ROUNDS = 24

/** Seals the trace of a run. Throws SPX-G216 for `trace_events` or `trace_bytes`. */
export function sealTrace(
  admission: Admission,
  events: readonly TraceEvent[],
  result: RunResult,
): Sealed<'trace', Trace> {
  const { limits } = admission.policy.document
  if (BigInt(events.length) > limits.max_trace_events) throw limitExceeded('trace_events', limits.max_trace_events)
  const trace = seal('trace', traceShape, {
    schema: documentSchema('trace'),
    run_id: admission.runId,
    source_agent_evidence_digest: admission.source.digest,
    policy_digest: admission.policy.digest,
    intent_digest: admission.intent.digest,
    events,
    result,
    nonclaims: NONCLAIMS,
  })
  if (BigInt(trace.bytes.length) > limits.max_trace_bytes) throw limitExceeded('trace_bytes', limits.max_trace_bytes)
  return trace
}

/** The references of Evidence that depend on how far a run came. */
export type EvidenceReferences = Pick<
  Evidence,
  'x402_invoice' | 'plan' | 'simulation' | 'approval' | 'journal' | 'broadcast' | 'reconciliation'
>

/** Counters that the caller knows: bytes that Evidence does not reference, and totals. */
export type EvidenceCounters = Pick<
  Budget,
  | 'used_snapshot_bytes'
  | 'used_approval_request_bytes'
  | 'used_unsigned_transaction_bytes'
  | 'used_signed_transaction_bytes'
  | 'used_utxos'
  | 'used_reconciliations'
  | 'used_elapsed_ms'
> & {
  /** Zero in the run that broadcasts without an answer: it names its provisional receipt, and has read no bytes of one. */
  readonly used_broadcast_receipt_bytes?: bigint
}

/** What Evidence is sealed from. `builderUsed` is the builder budget that was used before Evidence, in bytes. */
export type EvidenceParts = {
  readonly admission: Admission
  readonly trace: Sealed<'trace', Trace>
  readonly references: EvidenceReferences
  readonly counters: EvidenceCounters
  readonly builderUsed: bigint
}

/**
 * Seals Evidence: its own length and the builder total that contains it are found as a fixed point. Throws SPX-G216 for
 * `evidence_bytes` or `builder_bytes`. Charges its length to the meter.
 */
export function sealEvidence(parts: EvidenceParts, meter?: Meter): Sealed<'evidence', Evidence> {
  const { limits } = parts.admission.policy.document
  const start: OwnCounters = { used_evidence_bytes: 0n, used_builder_bytes: parts.builderUsed }
  // Only the digits of the two counters change the length, so one rendering tells it for all rounds.
  const fixed = BigInt(utf8Length(renderCanonical(evidenceShape, evidenceOf(parts, start)))) - digitsOf(start)
  let own = start
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const length = fixed + digitsOf(own)
    const next: OwnCounters = { used_evidence_bytes: length, used_builder_bytes: parts.builderUsed + length }
    if (next.used_evidence_bytes === own.used_evidence_bytes && next.used_builder_bytes === own.used_builder_bytes) {
      const evidence = seal('evidence', evidenceShape, evidenceOf(parts, own))
      if (length > limits.max_evidence_bytes) throw limitExceeded('evidence_bytes', limits.max_evidence_bytes)
      if (next.used_builder_bytes > limits.max_builder_bytes)
        throw limitExceeded('builder_bytes', limits.max_builder_bytes)
      meter?.charge(length)
      return evidence
    }
    own = next
  }
  throw replayMismatch('the length of Evidence does not settle')
}

/** The counters that count Evidence itself. */
type OwnCounters = Pick<Budget, 'used_evidence_bytes' | 'used_builder_bytes'>

function digitsOf(own: OwnCounters): bigint {
  return BigInt(`${own.used_evidence_bytes}${own.used_builder_bytes}`.length)
}

function evidenceOf(parts: EvidenceParts, own: OwnCounters): Evidence {
  const { admission, trace, references } = parts
  return {
    schema: documentSchema('evidence'),
    run_id: admission.runId,
    source_agent: admission.source,
    policy: refOf(admission.policy),
    intent: refOf(admission.intent),
    x402_invoice: references.x402_invoice,
    plan: references.plan,
    simulation: references.simulation,
    approval: references.approval,
    journal: references.journal,
    broadcast: references.broadcast,
    reconciliation: references.reconciliation,
    trace: capsuleOf(trace),
    result: trace.document.result,
    limits: admission.policy.document.limits,
    budget: budgetOf(parts, own),
    nonclaims: NONCLAIMS,
  }
}

function budgetOf(parts: EvidenceParts, own: OwnCounters): Budget {
  const { admission, trace, references, counters } = parts
  const { policy, intent } = admission
  const rows = policy.document.network_policies
  const length = (ref: { readonly bytes: bigint } | null) => ref?.bytes ?? 0n
  return {
    used_policy_bytes: BigInt(policy.bytes.length),
    used_intent_bytes: BigInt(intent.bytes.length),
    used_invoice_bytes: length(references.x402_invoice),
    used_snapshot_bytes: counters.used_snapshot_bytes,
    used_plan_bytes: length(references.plan),
    used_simulation_bytes: length(references.simulation),
    used_approval_request_bytes: counters.used_approval_request_bytes,
    used_approval_bytes: length(references.approval),
    used_journal_bytes: length(references.journal),
    used_unsigned_transaction_bytes: counters.used_unsigned_transaction_bytes,
    used_signed_transaction_bytes: counters.used_signed_transaction_bytes,
    used_broadcast_receipt_bytes: counters.used_broadcast_receipt_bytes ?? length(references.broadcast),
    used_reconciliation_bytes: length(references.reconciliation),
    used_trace_events: BigInt(trace.document.events.length),
    used_trace_bytes: BigInt(trace.bytes.length),
    ...own,
    used_recipients: rows.reduce((sum, row) => sum + BigInt(row.recipients.length), 0n),
    used_network_policies: BigInt(rows.length),
    used_x402_origins: BigInt(policy.document.x402_origins.length),
    used_utxos: counters.used_utxos,
    used_reconciliations: counters.used_reconciliations,
    used_elapsed_ms: counters.used_elapsed_ms,
    used_concurrency: 1n,
    used_unexpected_authority_calls: 0n,
  }
}
