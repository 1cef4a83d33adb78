import type {
  Admission,
  Approval,
  ApprovalRequest,
  BroadcastReceipt,
  BuilderBudget,
  BuiltTransaction,
  ChainSnapshot,
  EventFacts,
  Limits,
  PaymentPlan,
  ReadJournal,
  Reconciliation,
  Sealed,
  SignedTransaction,
  Simulation,
  X402Invoice,
} from '@oikos/core/economic'
import type { Boundary } from './boundary.ts'
import type { EventLog } from './event-log.ts'
import type { AdapterDisposition, EconomicAgentHost, PushSink, RailAdapter } from './host.ts'
import { createPushBuffer } from './push-buffer.ts'
import { largestEvent, requireRoom } from './room.ts'

/** What a run has obtained so far and will name in its Evidence. */
type Held = {
  /** The newest journal that is known to be stored, or the one that Evidence names in its place. */
  journal: ReadJournal
  invoice: Sealed<'invoice', X402Invoice> | null
  snapshot: Sealed<'snapshot', ChainSnapshot> | null
  plan: Sealed<'plan', PaymentPlan> | null
  built: BuiltTransaction | null
  simulation: Sealed<'simulation', Simulation> | null
  request: Sealed<'approval_request', ApprovalRequest> | null
  approval: Sealed<'approval', Approval> | null
  signed: SignedTransaction | null
  receipt: Sealed<'broadcast', BroadcastReceipt> | null
  observation: Sealed<'reconciliation', Reconciliation> | null
}

/** One call of `execute` or `reconcile`, after its intent was admitted. */
export type Session = {
  readonly host: EconomicAgentHost
  readonly admission: Admission
  readonly limits: Limits
  readonly boundary: Boundary
  readonly budget: BuilderBudget
  readonly events: EventLog
  readonly held: Held
  /** Whether this run reserved the payment or resumed it before anything else was done: only then it may end it. */
  ownsReservation: boolean
  /** Whether the last write to the journal may or may not have happened: then nothing more is written. */
  journalUncertain: boolean
  /** Whether the journal under this key was written for another policy, intent or source run. */
  journalForeign: boolean
}

/** The adapter of the rail that the payment settles on. */
export function railOf(session: Session): RailAdapter {
  return session.host.rails[session.admission.settlement.rail]
}

/**
 * What must hold immediately before a call that may deliver `maxOutputBytes`: not cancelled (SPX-I228), in time
 * (SPX-I229), builder budget for the answer, Trace and Evidence for `eventsAhead` events and the end (SPX-G216).
 */
export function requireCall(session: Session, maxOutputBytes: bigint, eventsAhead = 1): void {
  session.boundary.check()
  session.budget.requireLane(maxOutputBytes)
  const event = largestEvent(session, maxOutputBytes)
  requireRoom(session, new Array<EventFacts>(eventsAhead).fill(event))
}

/** An answer of an adapter. Bytes only when it succeeded; taking them throws when a piece was refused. */
export type Answer = { readonly disposition: AdapterDisposition; readonly takeBytes: () => Uint8Array }

const DISPOSITIONS: ReadonlySet<string> = new Set([
  'succeeded',
  'definitely_not_started',
  'failed_uncertain',
  'policy_rejected',
] satisfies AdapterDisposition[])

/** A disposition as the adapter gave it; whatever it throws or else says is `failed_uncertain`. */
export async function settle(call: () => Promise<AdapterDisposition>): Promise<AdapterDisposition> {
  try {
    const disposition = await call()
    return DISPOSITIONS.has(disposition) ? disposition : 'failed_uncertain'
  } catch {
    return 'failed_uncertain'
  }
}

/** Calls an adapter once with a sink of its own. */
export async function callAdapter(
  session: Session,
  limit: { readonly field: string; readonly maxBytes: bigint },
  call: (sink: PushSink) => Promise<AdapterDisposition>,
): Promise<Answer> {
  const buffer = createPushBuffer(limit, session.boundary, session.budget)
  const disposition = await settle(() => call(buffer.sink))
  if (disposition !== 'succeeded') buffer.discard()
  return { disposition, takeBytes: buffer.takeBytes }
}
