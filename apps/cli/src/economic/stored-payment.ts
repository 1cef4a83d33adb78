import {
  attemptsOf,
  EconomicError,
  isTerminal,
  type JournalState,
  type Rail,
  type ReadJournal,
  readJournal,
  type UnsignedFormat,
  utf8,
} from '@oikos/core/economic'
import type { JournalVersion } from '@oikos/runtime'

/** One stored version, read, or the reason why it cannot be. */
export type StoredVersion = {
  readonly version: bigint
  readonly bytes: number
  readonly journal: ReadJournal | undefined
  readonly fault: string | undefined
}

/** Reads a stored version; never throws for what it holds. */
export function readVersion({ version, document }: JournalVersion): StoredVersion {
  const bytes = utf8(document)
  try {
    return { version, bytes: bytes.length, journal: readJournal(bytes), fault: undefined }
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return { version, bytes: bytes.length, journal: undefined, fault: `${cause.code} ${cause.detail ?? cause.message}` }
  }
}

const FORMAT_RAILS: Readonly<Record<UnsignedFormat, Rail>> = {
  'eip1559-unsigned-v1': 'evm',
  'solana-message-v0': 'solana',
  'psbt-v2': 'bitcoin',
}

/** The rail of a payment, which its journal tells once a transaction was built. */
export function railOf({ document }: ReadJournal): Rail | undefined {
  const { unsigned_transaction: unsigned } = document
  return unsigned === null ? undefined : FORMAT_RAILS[unsigned.format]
}

/** Whether nothing more can happen to a payment. */
export function isOver({ document }: ReadJournal): boolean {
  return isTerminal(document)
}

/** What the newest version means for whoever waits for the payment. */
export function meaningOf(journal: ReadJournal): string {
  switch (journal.document.state) {
    case 'reserved':
      return 'its amount is reserved; running it again goes on'
    case 'prepared':
      return 'planned and simulated; it was interrupted and is not tried again'
    case 'approved':
      return journal.document.version === 3n
        ? 'approved; it was interrupted and is not tried again'
        : 'custody may have signed; it is not tried again'
    case 'signed':
      return 'signed, not broadcast; it is not tried again'
    case 'broadcast_unknown':
      return 'it may have been broadcast: reconcile it, never pay it again'
    case 'broadcasted':
    case 'pending':
      return 'the network has it: reconcile to learn its end'
    case 'confirmed':
      return 'paid'
    case 'reorged':
      return 'the chain took it back: look before you pay anew'
    case 'dropped':
      return 'the network has dropped it'
    case 'rejected':
      return journal.receipt === null ? 'refused before anything was signed' : 'the network refused it'
    case 'cancelled':
      return 'cancelled before anything was signed'
    case 'failed':
      return 'failed before anything was signed'
    default:
      return journal.document.state satisfies never
  }
}

const STEPS: Readonly<Record<JournalState, string>> = {
  reserved: 'amount reserved',
  prepared: 'planned and simulated',
  approved: 'approved',
  signed: 'signed',
  broadcast_unknown: 'broadcast begins',
  broadcasted: 'the network accepted it',
  pending: 'pending',
  confirmed: 'confirmed',
  reorged: 'taken back by the chain',
  dropped: 'dropped by the network',
  rejected: 'rejected',
  cancelled: 'cancelled',
  failed: 'failed',
}

/** What a version records as having happened. */
export function stepOf(journal: ReadJournal): string {
  const { state, version } = journal.document
  if (state === 'approved' && version === 4n) return 'signing begins'
  if (attemptsOf(journal).outstanding) return 'an observation begins'
  if (journal.receipt !== null && journal.observation === null && version > 7n) return 'an observation gave nothing'
  if (state === 'broadcast_unknown' && version === 7n) return 'the network said nothing certain'
  return STEPS[state]
}
