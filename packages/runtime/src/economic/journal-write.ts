import {
  advanceJournal,
  boundaryFailure,
  checkJournalSize,
  intentRejected,
  type Journal,
  type JournalStep,
  journalCloneCost,
  journalWriteCost,
  observedResult,
  type ReadJournal,
  reserveJournal,
  rollingAction,
} from '@oikos/core/economic'
import type { RollingInstruction } from './host.ts'
import { requireRoom, writeOf } from './room.ts'
import { type Session, settle } from './session.ts'

/** Writes version 1 and takes the payment's share of the rolling window in the same step. */
export async function reserve(session: Session): Promise<void> {
  const { admission, events, held } = session
  const first = reserveJournal(admission)
  const reserved = {
    kind: 'intent_reserved',
    input: admission.intent.digest,
    output: first.digest,
    status: 'reserved',
  } as const
  session.boundary.check()
  requireRoom(session, [writeOf(first), reserved])
  await write(session, first, null)
  session.ownsReservation = true
  held.journal = first
  events.record(reserved)
}

/** Steps that do not pay for a copy of the journal before them. Source: notes, section 13, step 6. */
const COPYLESS: ReadonlySet<JournalStep['kind']> = new Set<JournalStep['kind']>(['begin_observe', 'observe'])

/** Takes a step and makes it durable, or throws: SPX-G216 unwritten, SPX-I222 or SPX-G212 by the journal's answer. */
export async function advance(session: Session, step: JournalStep): Promise<void> {
  const { held, budget } = session
  const previous = held.journal
  if (!COPYLESS.has(step.kind)) budget.charge(journalCloneCost(previous.document))
  const next = advanceJournal(previous, step)
  if (step.kind === 'observe') {
    const { status, transaction_id: transactionId } = step.observation.document
    const observed = { ...session, held: { ...held, journal: next } }
    requireRoom(observed, [writeOf(next)], observedResult(status, transactionId))
  } else requireRoom(session, [writeOf(next)])
  await write(session, next, previous.document)
}

/** Ends a payment before any signature and gives its share back. Its room was kept by every check before. */
export async function end(
  session: Session,
  state: 'cancelled' | 'rejected' | 'failed',
  updatedAtMs: bigint,
): Promise<void> {
  const { journal } = session.held
  await write(session, advanceJournal(journal, { kind: 'end', state, updatedAtMs }), journal.document)
}

async function write(session: Session, next: ReadJournal, previous: Journal | null): Promise<void> {
  const { held, budget, host, limits, events } = session
  const { idempotency_key: key, version } = next.document
  checkJournalSize(next.bytes, limits)
  budget.charge(journalWriteCost(next))
  const rolling = instruction(session, previous, next.document)
  const disposition = await settle(() => host.journal.compareAndSwap(key, version - 1n, next.text, rolling))
  events.record({ ...writeOf(next), status: disposition === 'succeeded' ? 'committed' : 'failed' })
  switch (disposition) {
    case 'succeeded':
      held.journal = next
      return
    case 'policy_rejected':
      throw intentRejected('amount or fee not allowed', 'the journal refused')
    case 'failed_uncertain':
      session.journalUncertain = true
      throw boundaryFailure('SPX-I222')
    case 'definitely_not_started':
      throw boundaryFailure('SPX-I222')
    default:
      disposition satisfies never
  }
}

function instruction({ admission }: Session, previous: Journal | null, next: Journal): RollingInstruction {
  const kind = rollingAction(previous, next)
  if (kind !== 'reserve') return { kind }
  const { settlement, intent, row } = admission
  const reservation = {
    walletId: intent.document.wallet_id,
    rail: settlement.rail,
    network: settlement.network,
    asset: settlement.asset,
    requestedAtMs: intent.document.created_at_ms,
    amountAtomic: settlement.amountAtomic,
    maxRolling24hAtomic: row.max_rolling_24h_atomic,
  }
  return { kind, reservation }
}
