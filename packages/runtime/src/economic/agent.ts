import {
  type Admission,
  admitSourceRun,
  type BroadcastReceipt,
  boundaryFailure,
  createBuilderBudget,
  EconomicError,
  intentCost,
  intentRejected,
  isIdentifier,
  journalCloneCost,
  journalMismatch,
  limitExceeded,
  type Policy,
  parsePolicy,
  policyCost,
  quotedBytes,
  type ReadJournal,
  receiptTextBytes,
  type Sealed,
  type SourceRunBytes,
  unwrittenJournal,
  utf8,
  verifySourceRun,
} from '@oikos/core/economic'
import { startBoundary } from './boundary.ts'
import { createEventLog } from './event-log.ts'
import { type EconomicOutcome, finishFailed, finishObserved, refused } from './finish.ts'
import type { Cancellation, EconomicAgentHost } from './host.ts'
import { loadJournal, requireLoad } from './journal-load.ts'
import { reserve } from './journal-write.ts'
import { observe } from './observation-path.ts'
import { pay } from './payment-path.ts'
import { requireWholeRun } from './room.ts'
import type { Session } from './session.ts'

/** Pays what completed source runs propose, under one policy and through one host. */
export type EconomicAgent = {
  /**
   * Pays the intent that is the final message of a source run: at most one signature and one broadcast, over any number
   * of calls, crashes and processes. Called again for the same run it observes, and never pays again.
   */
  readonly execute: (source: SourceRunBytes) => Promise<EconomicOutcome>
  /** Observes the transaction of an earlier run once. Never signs and never broadcasts. */
  readonly reconcile: (idempotencyKey: string, source: SourceRunBytes) => Promise<EconomicOutcome>
}

/**
 * The engine of Economic Agent v1. `policy` is the canonical text of a Policy. Throws {@link EconomicError} (SPX-G210,
 * SPX-G211, SPX-G216) for a policy that is refused; no method of the host is touched before a call. One call at a time:
 * a second one is refused with SPX-G216 `concurrency exceeds 1`.
 */
export function createEconomicAgent(
  policyText: string,
  host: EconomicAgentHost,
  cancellation: Cancellation,
): EconomicAgent {
  const policy = parsePolicy(utf8(policyText))
  const policyBytes = policyCost(policy)
  let isRunning = false

  const exclusively = async (run: () => Promise<EconomicOutcome>): Promise<EconomicOutcome> => {
    if (isRunning) return refused(limitExceeded('concurrency', policy.document.limits.max_concurrency))
    isRunning = true
    try {
      return await run()
    } catch (cause) {
      if (cause instanceof EconomicError) return refused(cause)
      throw cause
    } finally {
      isRunning = false
    }
  }

  return {
    execute: (source) =>
      exclusively(async () => {
        if (cancellation.aborted) throw boundaryFailure('SPX-I228')
        const session = openSession({ policy, policyBytes, host, cancellation, source, countsSource: true })
        return execute(session)
      }),
    reconcile: (idempotencyKey, source) =>
      exclusively(async () => {
        const session = openSession({ policy, policyBytes, host, cancellation, source, countsSource: false })
        if (!isIdentifier(idempotencyKey) || idempotencyKey !== session.admission.intent.document.idempotency_key) {
          throw journalMismatch('the key is not that of the intent')
        }
        return reconcile(session)
      }),
  }
}

type SessionInput = {
  readonly policy: Sealed<'policy', Policy>
  /** What keeping the policy costs, bytes of the builder budget. */
  readonly policyBytes: bigint
  readonly host: EconomicAgentHost
  readonly cancellation: Cancellation
  readonly source: SourceRunBytes
  /** Whether the evidence of the source run is paid from the builder budget. */
  readonly countsSource: boolean
}

/** Replays the source run and admits its intent. Whatever it throws, no host method was called but the probe. */
function openSession({ policy, policyBytes, host, cancellation, source, countsSource }: SessionInput): Session {
  const { limits } = policy.document
  const budget = createBuilderBudget(limits)
  budget.charge(policyBytes)
  const verdict = verifySourceRun(source)
  if (!verdict.ok) throw intentRejected('agent run not completed', verdict.reason)
  const admission = admitSourceRun(policy, verdict.run)
  budget.charge(intentCost(admission.intent))
  const boundary = startBoundary(host, cancellation, limits.max_elapsed_ms)
  budget.raiseFloor()
  if (countsSource) budget.charge(admission.source.bytes)
  const events = createEventLog(admission.settlement.rail, budget)
  events.record({
    kind: 'run_started',
    status: 'started',
    input: admission.source.digest,
    output: admission.policy.digest,
  })
  const flags = { ownsReservation: false, journalUncertain: false, journalForeign: false }
  return { host, admission, limits, boundary, budget, events, held: nothingHeld(admission), ...flags }
}

function nothingHeld(admission: Admission): Session['held'] {
  return {
    journal: unwrittenJournal(admission),
    ...{ invoice: null, snapshot: null, plan: null, built: null, simulation: null, request: null },
    ...{ approval: null, signed: null, receipt: null, observation: null },
  }
}

/** Before the load a failure leaves nothing behind and is thrown; after it every exit is a run. */
async function execute(session: Session): Promise<EconomicOutcome> {
  requireLoad(session)
  requireWholeRun(session)
  return recorded(session, async () => {
    const journal = await loadJournal(session)
    if (journal === null) {
      await reserve(session)
      return payAndObserve(session)
    }
    session.held.journal = journal
    if (journal.document.state === 'reserved') {
      session.ownsReservation = true
      return payAndObserve(session)
    }
    // Prepared, approved or signed, and no receipt: an earlier run may have reached custody. Nothing is tried again.
    if (journal.receipt === null) throw boundaryFailure('SPX-I222')
    return observeAgain(session, journal, journal.receipt)
  })
}

async function reconcile(session: Session): Promise<EconomicOutcome> {
  requireLoad(session)
  const outcome = await recorded(session, async () => {
    const journal = await loadJournal(session)
    if (journal === null) throw journalMismatch('nothing was paid under this key')
    session.held.journal = journal
    if (journal.receipt === null) {
      session.budget.charge(journalCloneCost(journal.document))
      throw journalMismatch(`nothing was broadcast: ${journal.document.state}`)
    }
    return observeAgain(session, journal, journal.receipt)
  })
  return session.journalForeign ? refused(journalMismatch()) : outcome
}

async function recorded(session: Session, run: () => Promise<EconomicOutcome>): Promise<EconomicOutcome> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof EconomicError) return finishFailed(session, cause)
    throw cause
  }
}

async function payAndObserve(session: Session): Promise<EconomicOutcome> {
  const receipt = await pay(session)
  const status = await observe(session, receipt, 'broadcast')
  return finishObserved(session, status, receipt.document.transaction_id)
}

/** What reading a retained receipt a second time costs: its strings. Source: notes, section 13, step 10. */
function retainedReceiptCost(receipt: BroadcastReceipt): bigint {
  return receiptTextBytes(receipt) + quotedBytes(receipt.disposition)
}

/** From a stored receipt: its end if it has one, else one more observation. */
async function observeAgain(
  session: Session,
  journal: ReadJournal,
  receipt: NonNullable<ReadJournal['receipt']>,
): Promise<EconomicOutcome> {
  const { held } = session
  session.budget.charge(journalCloneCost(journal.document) + retainedReceiptCost(receipt.document))
  held.receipt = receipt
  held.observation = journal.observation
  const { transaction_id: transactionId } = receipt.document
  const { state } = journal.document
  switch (state) {
    case 'confirmed':
    case 'reorged':
    case 'dropped':
      return finishObserved(session, state, transactionId)
    case 'rejected':
      throw boundaryFailure('SPX-I223')
    default:
      return finishObserved(session, await observe(session, receipt, 'restart'), transactionId)
  }
}
