import {
  boundaryFailure,
  type ConfirmationStatus,
  type EconomicDiagnostic,
  EconomicError,
  failureResult,
  journalCloneCost,
  observedResult,
  type RunResult,
  readEvidence,
  replayEvidence,
  type TransactionId,
  toDiagnostic,
  U64_MAX,
} from '@oikos/core/economic'
import { laterOf } from './boundary.ts'
import { end } from './journal-write.ts'
import { type RunDocuments, sealRun } from './run-documents.ts'
import type { Session } from './session.ts'

/** A run that was recorded: how it ended, and the documents that a stranger can replay. */
export type EconomicRun = { readonly kind: 'run'; readonly result: RunResult } & RunDocuments

/** A call that ended without a run: nothing outside was changed, or what was changed cannot be recorded. */
export type EconomicRefusal = { readonly kind: 'diagnostics'; readonly diagnostics: readonly [EconomicDiagnostic] }

/** What a call of the engine gives. */
export type EconomicOutcome = EconomicRun | EconomicRefusal

/** The outcome of a call that must not become a run. */
export function refused(error: EconomicError): EconomicRefusal {
  return { kind: 'diagnostics', diagnostics: [toDiagnostic(error)] }
}

/** Ends a run that knows what became of its transaction. */
export function finishObserved(
  session: Session,
  status: ConfirmationStatus,
  transactionId: TransactionId,
): EconomicOutcome {
  return close(session, observedResult(status, transactionId), session.boundary.settledElapsedMs())
}

/**
 * Ends a run that failed. While nothing can have been signed, the payment is ended in the journal and its reservation
 * given back, once; afterwards the journal is left as it is. Source: notes, section 10, failure finalization.
 */
export async function finishFailed(session: Session, failure: EconomicError): Promise<EconomicOutcome> {
  const elapsedMs = session.boundary.settledElapsedMs()
  const canEnd = session.ownsReservation && chargeCopy(session) && mayEnd(session)
  const error = canEnd ? await endPayment(session, failure, elapsedMs) : failure
  return close(session, failureResult(error), elapsedMs)
}

/** The failure of a payment costs one more copy of its journal. False when the budget has none left. */
function chargeCopy({ budget, held }: Session): boolean {
  try {
    budget.charge(journalCloneCost(held.journal.document))
    return true
  } catch (cause) {
    if (cause instanceof EconomicError) return false
    throw cause
  }
}

/** Versions with which a payment may still be ended: reserved, prepared, approved and not yet marked for signing. */
const LAST_ENDABLE_VERSION = 3n

function mayEnd({ journalUncertain, held }: Session): boolean {
  const { version } = held.journal.document
  return !journalUncertain && version >= 1n && version <= LAST_ENDABLE_VERSION
}

async function endPayment(session: Session, failure: EconomicError, elapsedMs: bigint): Promise<EconomicError> {
  const { created_at_ms: createdAtMs, expires_at_ms: expiresAtMs } = session.admission.intent.document
  const { updated_at_ms: updatedAtMs } = session.held.journal.document
  const endedAtMs = laterOf(createdAtMs, updatedAtMs) + elapsedMs
  try {
    await end(session, endState(failure), endedAtMs > U64_MAX ? expiresAtMs : endedAtMs)
    return failure
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    // Without the budget for it nothing was written, so the failure is still the only one.
    if (cause.code === 'SPX-G216') return failure
    chargeCopy(session)
    return boundaryFailure('SPX-I222')
  }
}

function endState({ code }: EconomicError): 'cancelled' | 'rejected' | 'failed' {
  if (code === 'SPX-I228') return 'cancelled'
  return code === 'SPX-G212' || code === 'SPX-G214' ? 'rejected' : 'failed'
}

function close(session: Session, result: RunResult, elapsedMs: bigint): EconomicOutcome {
  const { budget, events } = session
  try {
    budget.releaseFloor()
    events.record({ kind: 'run_finished', status: result.status })
    const documents = sealRun(session, events.list, result, elapsedMs)
    replayEvidence(readEvidence(documents.evidence.bytes))
    return { kind: 'run', result, ...documents }
  } catch (cause) {
    if (cause instanceof EconomicError) return refused(cause)
    throw cause
  }
}
