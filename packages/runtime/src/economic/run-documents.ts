import {
  attemptsOf,
  type BroadcastReceipt,
  type Evidence,
  type EvidenceCounters,
  type EvidenceReferences,
  isProvisional,
  type Reconciliation,
  type RunResult,
  refOf,
  type Sealed,
  sealEvidence,
  sealTrace,
  type Trace,
  type TraceEvent,
} from '@oikos/core/economic'
import type { Session } from './session.ts'

/** Trace and Evidence of a run. */
export type RunDocuments = {
  readonly trace: Sealed<'trace', Trace>
  readonly evidence: Sealed<'evidence', Evidence>
}

/** Seals the documents of a run that ends with `result`. Throws SPX-G216 when a limit of the policy is too small. */
export function sealRun(
  session: Session,
  events: readonly TraceEvent[],
  result: RunResult,
  elapsedMs: bigint,
): RunDocuments {
  const { admission, budget } = session
  const trace = sealTrace(admission, events, result)
  const builderUsed = budget.used() + BigInt(trace.bytes.length)
  const evidence = sealEvidence({
    admission,
    trace,
    references: referencesOf(session),
    counters: countersOf(session, elapsedMs),
    builderUsed,
  })
  return { trace, evidence }
}

function referencesOf({ held }: Session): EvidenceReferences {
  return {
    x402_invoice: held.invoice === null ? null : refOf(held.invoice),
    plan: held.plan === null ? null : refOf(held.plan),
    simulation: held.simulation === null ? null : refOf(held.simulation),
    approval: held.approval === null ? null : refOf(held.approval),
    journal: refOf(held.journal),
    broadcast: receiptRef(held.receipt),
    reconciliation: observationRef(held.observation),
  }
}

function receiptRef(receipt: Sealed<'broadcast', BroadcastReceipt> | null): EvidenceReferences['broadcast'] {
  return receipt === null ? null : refOf(receipt)
}

function observationRef(
  observation: Sealed<'reconciliation', Reconciliation> | null,
): EvidenceReferences['reconciliation'] {
  return observation === null ? null : refOf(observation)
}

function countersOf(session: Session, elapsedMs: bigint): EvidenceCounters {
  const { held, limits, events } = session
  const length = (sealed: { readonly bytes: Uint8Array } | null) => BigInt(sealed?.bytes.length ?? 0)
  const observed = events.list.some(({ kind }) => kind === 'reconciliation_finished')
  return {
    used_snapshot_bytes: length(held.snapshot),
    used_approval_request_bytes: length(held.request),
    used_unsigned_transaction_bytes: length(held.built),
    used_signed_transaction_bytes: held.journal.document.signed_transaction?.bytes ?? 0n,
    ...(isUnanswered(session) ? { used_broadcast_receipt_bytes: 0n } : {}),
    used_utxos: utxosOf(session),
    used_reconciliations: observed ? attemptsOf(held.journal).count : 0n,
    used_elapsed_ms: elapsedMs < limits.max_elapsed_ms ? elapsedMs : limits.max_elapsed_ms,
  }
}

/** Outputs of the snapshot, counted together with the plan that spends them (D13). */
function utxosOf({ held }: Session): bigint {
  const state = held.plan === null ? undefined : held.snapshot?.document
  return state?.rail === 'bitcoin' ? BigInt(state.state.utxos.length) : 0n
}

/** Whether the receipt that Evidence names is the provisional one of this run: no byte of it was read from outside. */
function isUnanswered({ held }: Session): boolean {
  return held.signed !== null && held.receipt !== null && isProvisional(held.receipt.document)
}
