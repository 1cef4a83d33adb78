import type { Admission } from '../admission.ts'
import type { Meter } from '../canonical.ts'
import { precheck } from '../canonical.ts'
import { documentBytesField, RAIL_NETWORKS } from '../catalog.ts'
import { journalMismatch, limitExceeded } from '../diagnostics.ts'
import type { Journal, ReadJournal } from '../documents/journal.ts'
import { readJournal } from '../documents/journal.ts'
import { isProvisional } from '../documents/receipt.ts'
import type { Limits } from '../limits.ts'
import { sameRef } from '../references.ts'
import { refOf } from '../sealed.ts'

/** Where a journal stands between observations. Source: Economic Agent v1, "durable topology". */
export type Attempts = {
  /** Observations that were begun, over all runs. */
  readonly count: bigint
  /** Whether the last one was begun and not completed: the marker of an attempt that a crash may have consumed. */
  readonly outstanding: boolean
}

/** Base version while the retained receipt is provisional, and once an adapter's receipt is retained. */
const PROVISIONAL_BASE = 6n
const ACTUAL_BASE = 7n

/** Attempts at observation of a journal that retains a receipt; none for any other. */
export function attemptsOf(journal: Pick<ReadJournal, 'document' | 'receipt'>): Attempts {
  if (journal.receipt === null) return { count: 0n, outstanding: false }
  const offset = journal.document.version - (isProvisional(journal.receipt.document) ? PROVISIONAL_BASE : ACTUAL_BASE)
  if (offset < 0n) return { count: 0n, outstanding: false }
  return { count: (offset + 1n) / 2n, outstanding: offset % 2n === 1n }
}

/** Whether a state ends the payment: nothing may be written after it. */
export function isTerminal(journal: Journal): boolean {
  switch (journal.state) {
    case 'confirmed':
    case 'reorged':
    case 'dropped':
    case 'rejected':
    case 'cancelled':
    case 'failed':
      return true
    case 'reserved':
    case 'prepared':
    case 'approved':
    case 'signed':
    case 'broadcast_unknown':
    case 'broadcasted':
    case 'pending':
      return false
    default:
      return journal.state satisfies never
  }
}

/** How far a journal is filled, by the fields that are set; undefined when they are not a prefix of the path. */
type Stage = 'reserved' | 'prepared' | 'approved' | 'signed' | 'broadcast' | 'observed'
const STAGES: readonly Stage[] = ['reserved', 'prepared', 'approved', 'signed', 'broadcast', 'observed']

function stageOf(journal: Journal): Stage | undefined {
  const { plan, simulation, unsigned_transaction: unsigned } = journal
  if ((plan === null) !== (simulation === null) || (plan === null) !== (unsigned === null)) return undefined
  const filled = [plan, journal.approval, journal.signed_transaction, journal.broadcast, journal.reconciliation]
  const depth = filled.indexOf(null)
  if (depth !== -1 && filled.slice(depth).some((field) => field !== null)) return undefined
  return STAGES[depth === -1 ? filled.length : depth]
}

/** Version of a payment that ended before any signature, by what it had reached. */
const ENDED_VERSION: Readonly<Record<'reserved' | 'prepared' | 'approved', bigint>> = {
  reserved: 2n,
  prepared: 3n,
  approved: 4n,
}

/** Why a journal has no legal state, or undefined when it has one. Source: notes, section 11, table; D7, D8. */
export function stateFault(journal: ReadJournal): string | undefined {
  const { document } = journal
  const stage = stageOf(document)
  if (stage === undefined) return 'the fields that are set are not a prefix of the path'
  if (!isStateLegal(journal, stage)) return `state ${document.state} at version ${document.version} after ${stage}`
  return timeFault(journal)
}

function isStateLegal(journal: ReadJournal, stage: Stage): boolean {
  const { document, receipt, observation } = journal
  const { state, version } = document
  const disposition = receipt?.document.disposition
  const provisional = receipt !== null && isProvisional(receipt.document)
  const endedEarly =
    (stage === 'reserved' || stage === 'prepared' || stage === 'approved') && version === ENDED_VERSION[stage]
  const { count, outstanding } = attemptsOf(journal)
  switch (state) {
    case 'reserved':
      return stage === 'reserved' && version === 1n
    case 'prepared':
      return stage === 'prepared' && version === 2n
    case 'approved':
      return stage === 'approved' && (version === 3n || version === 4n)
    case 'signed':
      return stage === 'signed' && version === 5n
    case 'broadcast_unknown':
      return stage === 'broadcast' && disposition === 'unknown' && version >= (provisional ? 6n : 7n)
    case 'broadcasted':
      return stage === 'broadcast' && disposition === 'accepted' && version >= 7n
    case 'pending':
      if (stage === 'broadcast') return disposition === 'pending' && version >= 7n
      // A marker over a pending observation is legal, else a crash inside the next attempt would lose the payment.
      return stage === 'observed' && observation?.document.status === 'pending' && isObservable(journal) && count >= 1n
    case 'confirmed':
    case 'reorged':
    case 'dropped':
      return (
        stage === 'observed' &&
        observation?.document.status === state &&
        isObservable(journal) &&
        !outstanding &&
        count >= 1n
      )
    case 'rejected':
      return endedEarly || (stage === 'broadcast' && disposition === 'rejected' && version === 7n)
    case 'cancelled':
    case 'failed':
      return endedEarly
    default:
      return state satisfies never
  }
}

/** Whether the chain may be asked after this receipt: a rejected broadcast is final (D9), an unknown one is not (D7). */
function isObservable(journal: ReadJournal): boolean {
  return (
    journal.receipt !== null && journal.receipt.document.disposition !== 'rejected' && journal.document.version >= 7n
  )
}

function timeFault({ document, receipt, observation }: ReadJournal): string | undefined {
  if (receipt === null) return undefined
  const last = observation ?? receipt
  if (observation !== null && observation.document.observed_at_ms < receipt.document.observed_at_ms)
    return 'the observation is older than the receipt'
  if (document.updated_at_ms !== last.document.observed_at_ms) return 'updated_at_ms is not the last observation time'
  return undefined
}

/** Throws SPX-G215 unless the journal has a legal state. */
export function assertState(journal: ReadJournal): void {
  const fault = stateFault(journal)
  if (fault !== undefined) throw journalMismatch(fault)
}

/** Whether a journal belongs to an admitted intent: key, run id, policy and intent. Source: notes, section 11. */
export function isBound(journal: Journal, admission: Admission): boolean {
  return (
    journal.idempotency_key === admission.intent.document.idempotency_key &&
    journal.run_id === admission.runId &&
    sameRef(journal.policy, refOf(admission.policy)) &&
    sameRef(journal.intent, refOf(admission.intent))
  )
}

/**
 * Reads the journal that a host loaded for an admitted intent and judges it: form, binding, amounts, configured sizes,
 * state, number of observations. Throws SPX-G216, SPX-G217, SPX-G210 or SPX-G215. A caller that must tell a foreign
 * journal from a broken one asks {@link isBound} first.
 */
export function parseJournal(bytes: Uint8Array, admission: Admission, meter?: Meter): ReadJournal {
  const { limits } = admission.policy.document
  checkEnvelope(bytes, limits, meter)
  const journal = readJournal(bytes, meter === undefined ? undefined : { meter, maxJsonDepth: limits.max_json_depth })
  assertJournal(journal, admission)
  return journal
}

/** The pre-check of a journal; its sidecar is charged once at twice its length. Source: notes, section 13, step 10. */
function checkEnvelope(bytes: Uint8Array, limits: Limits, meter: Meter | undefined): void {
  precheck('journal', bytes, limits)
  meter?.charge(2n * BigInt(bytes.length))
}

/** Throws SPX-G215 (or SPX-G216) unless a journal is a legal one of this admitted intent. */
export function assertJournal(journal: ReadJournal, admission: Admission): void {
  const { document, receipt } = journal
  const { limits } = admission.policy.document
  const { settlement } = admission
  if (!isBound(document, admission)) throw journalMismatch('key, run id, policy or intent differ')
  if (
    document.reserved_amount_atomic !== settlement.amountAtomic ||
    document.reserved_fee_atomic !== settlement.maxFeeAtomic
  )
    throw journalMismatch('the reserved amounts differ from the intent')
  checkReferenceSizes(document, limits)
  if (receipt !== null && receipt.document.network !== RAIL_NETWORKS[settlement.rail].network)
    throw journalMismatch('the receipt is of another rail')
  assertState(journal)
  const { count } = attemptsOf(journal)
  if (count > limits.max_reconciliations) throw journalMismatch(`got ${count} observations`)
}

function checkReferenceSizes(journal: Journal, limits: Limits): void {
  const sizes: readonly (readonly [string, { readonly bytes: bigint } | null, bigint])[] = [
    ['plan', journal.plan, limits.max_plan_bytes],
    ['simulation', journal.simulation, limits.max_simulation_bytes],
    ['approval', journal.approval, limits.max_approval_bytes],
    ['unsigned_transaction', journal.unsigned_transaction, limits.max_unsigned_transaction_bytes],
    ['signed_transaction', journal.signed_transaction, limits.max_signed_transaction_bytes],
    ['broadcast', journal.broadcast, limits.max_broadcast_receipt_bytes],
    ['reconciliation', journal.reconciliation, limits.max_reconciliation_bytes],
  ]
  for (const [name, ref, maximum] of sizes)
    if (ref !== null && (ref.bytes === 0n || ref.bytes > maximum)) throw journalMismatch(`${name}: ${ref.bytes} bytes`)
}

/** Throws SPX-G216 `journal_bytes` when a journal is too long to be written. */
export function checkJournalSize(bytes: Uint8Array, limits: Limits): void {
  if (BigInt(bytes.length) > limits.max_journal_bytes)
    throw limitExceeded(documentBytesField('journal'), limits.max_journal_bytes)
}
