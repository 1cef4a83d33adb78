import {
  attemptsOf,
  type BroadcastReceipt,
  boundaryFailure,
  type ConfirmationStatus,
  limitExceeded,
  parseReconciliation,
  type Sealed,
} from '@oikos/core/economic'
import { advance } from './journal-write.ts'
import { callAdapter, railOf, requireCall, type Session } from './session.ts'

/**
 * One observation of the transaction that a receipt names: a durable marker, one call, the result made durable. The
 * number of observations is bounded over all runs (SPX-G216 `reconciliations`). Source: notes, sections 10 and 11.
 */
export async function observe(
  session: Session,
  receipt: Sealed<'broadcast', BroadcastReceipt>,
  origin: 'broadcast' | 'restart',
): Promise<ConfirmationStatus> {
  const { admission, limits, events, budget, held } = session
  if (origin === 'restart') await closeMarker(session)
  const maxBytes = limits.max_reconciliation_bytes
  if (origin === 'broadcast') requireCall(session, maxBytes)
  requireAttempt(session)
  if (origin === 'restart') requireCall(session, maxBytes)
  await advance(session, { kind: 'begin_observe' })
  requireCall(session, maxBytes)
  const step = { kind: 'reconciliation_finished', input: receipt.digest } as const
  const { rail, transaction_id: transactionId } = receipt.document
  const limit = { field: 'reconciliation_bytes', maxBytes }
  const answer = await callAdapter(session, limit, (sink) => railOf(session).reconcile(transactionId, sink))
  if (answer.disposition !== 'succeeded') {
    // A restarted run records no event for a failed call, as the recorded outcomes have it; its marker says so.
    if (origin === 'broadcast') events.record({ ...step, status: 'failed' })
    throw boundaryFailure('SPX-I227')
  }
  const { settlement } = admission
  const confirmationTarget = settlement.rail === 'bitcoin' ? settlement.confirmationTarget : 0n
  const context = { identity: { rail, transactionId }, limits, confirmationTarget }
  const observation = parseReconciliation(answer.takeBytes(), context, budget)
  const { status } = observation.document
  events.record({ ...step, output: observation.digest, status, outputBytes: observation.bytes.length })
  held.observation = observation
  await advance(session, { kind: 'observe', observation })
  return status
}

/** A marker that a crash left behind has used its attempt; it is closed before the next. */
async function closeMarker(session: Session): Promise<void> {
  if (attemptsOf(session.held.journal).outstanding) await advance(session, { kind: 'close_observe' })
}

function requireAttempt({ held, limits }: Session): void {
  const { count } = attemptsOf(held.journal)
  if (count >= limits.max_reconciliations) throw limitExceeded('reconciliations', limits.max_reconciliations)
}
