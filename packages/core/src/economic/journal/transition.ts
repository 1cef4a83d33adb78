import type { Admission } from '../admission.ts'
import { documentSchema } from '../catalog.ts'
import { journalMismatch } from '../diagnostics.ts'
import type { Approval } from '../documents/approval.ts'
import type { Journal, JournalState, ReadJournal } from '../documents/journal.ts'
import { journalShape } from '../documents/journal.ts'
import type { PaymentPlan } from '../documents/plan.ts'
import type { BroadcastReceipt, Disposition } from '../documents/receipt.ts'
import { isProvisional } from '../documents/receipt.ts'
import type { Reconciliation } from '../documents/reconciliation.ts'
import type { Simulation } from '../documents/simulation.ts'
import type { BuiltTransaction } from '../rails/built.ts'
import { unsignedRefOf } from '../rails/built.ts'
import type { SignedTransaction } from '../rails/signed.ts'
import { signedRefOf } from '../rails/signed.ts'
import type { Sealed } from '../sealed.ts'
import { capsuleOf, refOf, seal } from '../sealed.ts'
import { assertState, attemptsOf, isTerminal, stateFault } from './state.ts'

/** What happens to the journal next. Times in milliseconds since 1970. */
export type JournalStep =
  | {
      readonly kind: 'prepare'
      readonly plan: Sealed<'plan', PaymentPlan>
      readonly simulation: Sealed<'simulation', Simulation>
      readonly unsigned: BuiltTransaction
      readonly observedAtMs: bigint
    }
  | { readonly kind: 'approve'; readonly approval: Sealed<'approval', Approval> }
  /** The marker of the one attempt to sign. */
  | { readonly kind: 'begin_sign' }
  | { readonly kind: 'sign'; readonly signed: SignedTransaction }
  /** The marker of the one broadcast: the provisional receipt. */
  | { readonly kind: 'begin_broadcast'; readonly receipt: Sealed<'broadcast', BroadcastReceipt> }
  | { readonly kind: 'broadcast'; readonly receipt: Sealed<'broadcast', BroadcastReceipt> }
  /** The marker of one attempt to observe. */
  | { readonly kind: 'begin_observe' }
  /** Closes a marker that a crash left behind. */
  | { readonly kind: 'close_observe' }
  | { readonly kind: 'observe'; readonly observation: Sealed<'reconciliation', Reconciliation> }
  /** Ends a payment before anything was signed; the reservation is released. */
  | { readonly kind: 'end'; readonly state: 'cancelled' | 'rejected' | 'failed'; readonly updatedAtMs: bigint }

/** What the host does with the rolling reservation in the same compare-and-swap. Source: notes, section 11. */
export type RollingAction = 'reserve' | 'retain' | 'release'

/** The state that a receipt leads to. */
export const DISPOSITION_STATES = {
  accepted: 'broadcasted',
  pending: 'pending',
  unknown: 'broadcast_unknown',
  rejected: 'rejected',
} as const satisfies Record<Disposition, JournalState>

/** The first journal of a payment, version 1. */
export function reserveJournal(admission: Admission): ReadJournal {
  return sealJournal(firstJournal(admission, 1n), null, null)
}

/** The journal that Evidence names when not even the first one could be written: version 0, never stored. */
export function unwrittenJournal(admission: Admission): ReadJournal {
  return sealJournal(firstJournal(admission, 0n), null, null)
}

function firstJournal(admission: Admission, version: bigint): Journal {
  const { document } = admission.intent
  return {
    schema: documentSchema('journal'),
    idempotency_key: document.idempotency_key,
    version,
    policy: refOf(admission.policy),
    intent: refOf(admission.intent),
    run_id: admission.runId,
    state: 'reserved',
    reserved_amount_atomic: admission.settlement.amountAtomic,
    reserved_fee_atomic: admission.settlement.maxFeeAtomic,
    plan: null,
    simulation: null,
    approval: null,
    unsigned_transaction: null,
    signed_transaction: null,
    broadcast: null,
    reconciliation: null,
    updated_at_ms: document.created_at_ms,
  }
}

/**
 * The journal after a step. Throws SPX-G215 when the step is not legal now: that is the whole transition table, and the
 * result is checked against the table of states again. Source: notes, sections 10 and 11.
 */
export function advanceJournal(journal: ReadJournal, step: JournalStep): ReadJournal {
  const { document } = journal
  if (isTerminal(document)) throw journalMismatch(`nothing follows ${document.state}`)
  const next = applyStep(journal, step)
  assertState(next)
  return next
}

/** What happens to the rolling reservation when `next` is written after `previous` (null: nothing is stored yet). */
export function rollingAction(previous: Journal | null, next: Journal): RollingAction {
  if (previous === null) return 'reserve'
  return next.state === 'cancelled' || next.state === 'failed' || (next.state === 'rejected' && next.broadcast === null)
    ? 'release'
    : 'retain'
}

function applyStep(journal: ReadJournal, step: JournalStep): ReadJournal {
  const { document, receipt, observation } = journal
  const write = (changes: Partial<Journal>, kept = { receipt, observation }): ReadJournal =>
    sealJournal({ ...document, ...changes, version: document.version + 1n }, kept.receipt, kept.observation)
  switch (step.kind) {
    case 'prepare':
      requireState(document, 'reserved', 1n)
      return write({
        state: 'prepared',
        plan: refOf(step.plan),
        simulation: refOf(step.simulation),
        unsigned_transaction: unsignedRefOf(step.unsigned),
        updated_at_ms: step.observedAtMs,
      })
    case 'approve':
      requireState(document, 'prepared', 2n)
      return write({ state: 'approved', approval: refOf(step.approval) })
    case 'begin_sign':
      requireState(document, 'approved', 3n)
      return write({})
    case 'sign':
      requireState(document, 'approved', 4n)
      return write({ state: 'signed', signed_transaction: signedRefOf(step.signed) })
    case 'begin_broadcast':
      requireState(document, 'signed', 5n)
      if (!isProvisional(step.receipt.document)) throw journalMismatch('the receipt is not provisional')
      return withReceipt(write, 'broadcast_unknown', step.receipt)
    case 'broadcast':
      requireState(document, 'broadcast_unknown', 6n)
      if (isProvisional(step.receipt.document)) throw journalMismatch('the receipt is provisional')
      return withReceipt(write, DISPOSITION_STATES[step.receipt.document.disposition], step.receipt)
    case 'begin_observe':
      requireMarker(journal, false)
      return write({})
    case 'close_observe':
      requireMarker(journal, true)
      return write({})
    case 'observe': {
      requireMarker(journal, true)
      const { status, observed_at_ms: updatedAt } = step.observation.document
      return write(
        { state: status, reconciliation: capsuleOf(step.observation), updated_at_ms: updatedAt },
        { receipt, observation: step.observation },
      )
    }
    case 'end':
      if (document.version < 1n || document.version > 3n) throw journalMismatch('something may have been signed')
      return write({ state: step.state, updated_at_ms: step.updatedAtMs })
    default:
      return step satisfies never
  }
}

function withReceipt(
  write: (changes: Partial<Journal>, kept: Pick<ReadJournal, 'receipt' | 'observation'>) => ReadJournal,
  state: JournalState,
  receipt: Sealed<'broadcast', BroadcastReceipt>,
): ReadJournal {
  return write(
    { state, broadcast: capsuleOf(receipt), updated_at_ms: receipt.document.observed_at_ms },
    { receipt, observation: null },
  )
}

function requireState(journal: Journal, state: JournalState, version: bigint): void {
  if (journal.state !== state || journal.version !== version)
    throw journalMismatch(`got ${journal.state} at ${journal.version}, expected ${state} at ${version}`)
}

function requireMarker(journal: ReadJournal, outstanding: boolean): void {
  if (journal.receipt === null || attemptsOf(journal).outstanding !== outstanding)
    throw journalMismatch(`expected ${outstanding ? 'an' : 'no'} outstanding attempt to observe`)
}

function sealJournal(
  document: Journal,
  receipt: ReadJournal['receipt'],
  observation: ReadJournal['observation'],
): ReadJournal {
  return { ...seal('journal', journalShape, document), receipt, observation }
}

/**
 * Why a host must refuse to write `next` over `previous` (null: nothing is stored), or undefined. For journals that only
 * see rendered documents: identity fields are kept, the version grows by one, what is set stays set, the state is legal.
 */
export function transitionFault(previous: ReadJournal | null, next: ReadJournal): string | undefined {
  const { document } = next
  if (previous === null) return document.version === 1n && document.state === 'reserved' ? undefined : 'not a first one'
  const before = previous.document
  if (isTerminal(before)) return `nothing follows ${before.state}`
  if (document.version !== before.version + 1n) return `version ${document.version} after ${before.version}`
  const fixed = ['idempotency_key', 'run_id', 'reserved_amount_atomic', 'reserved_fee_atomic'] as const
  const changed = fixed.find((field) => document[field] !== before[field])
  if (changed !== undefined) return `${changed} was changed`
  const kept = [
    'policy',
    'intent',
    'plan',
    'simulation',
    'approval',
    'unsigned_transaction',
    'signed_transaction',
  ] as const
  const lost = kept.find((field) => before[field] !== null && before[field]?.digest !== document[field]?.digest)
  if (lost !== undefined) return `${lost} was changed`
  return receiptFault(previous, next) ?? stateFault(next)
}

function receiptFault(previous: ReadJournal, next: ReadJournal): string | undefined {
  const before = previous.document
  const { document } = next
  const replacesProvisional =
    before.version === 6n && previous.receipt !== null && isProvisional(previous.receipt.document)
  if (before.broadcast !== null && before.broadcast.digest !== document.broadcast?.digest && !replacesProvisional)
    return 'the receipt was changed'
  const observed = before.reconciliation?.digest !== document.reconciliation?.digest
  if (observed && !attemptsOf(previous).outstanding) return 'an observation without a marker'
  return undefined
}
