import type { Meter } from '../canonical.ts'
import { parseCanonical, requireRerender } from '../canonical.ts'
import { documentSchema } from '../catalog.ts'
import { journalMismatch } from '../diagnostics.ts'
import type { RunId } from '../digest.ts'
import { documentDigest } from '../digest.ts'
import type { Identifier } from '../identifier.ts'
import type { Capsule, DocumentRef, SignedRef, UnsignedRef } from '../references.ts'
import { capsuleShape, identifierShape, refShape, runIdShape, signedRefShape, unsignedRefShape } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { sealText } from '../sealed.ts'
import { nullable, oneOf, record, u64 } from '../shape.ts'
import { utf8 } from '../text.ts'
import type { BroadcastReceipt, SignedIdentity } from './receipt.ts'
import { readReceipt, receiptShape } from './receipt.ts'
import type { Reconciliation } from './reconciliation.ts'
import { readReconciliation } from './reconciliation.ts'

/** The states of a journal, in the order of the notes, section 3. */
export const JOURNAL_STATES = [
  'reserved',
  'prepared',
  'approved',
  'signed',
  'broadcast_unknown',
  'broadcasted',
  'pending',
  'confirmed',
  'reorged',
  'dropped',
  'rejected',
  'cancelled',
  'failed',
] as const
/** State of a journal. */
export type JournalState = (typeof JOURNAL_STATES)[number]

/** All that is durable about one payment. Written by compare-and-swap on `version`. Source: notes, sections 3 and 11. */
export type Journal = {
  readonly schema: 'semaprax.economic-agent-journal.v1'
  readonly idempotency_key: Identifier
  readonly version: bigint
  readonly policy: DocumentRef<'policy'>
  readonly intent: DocumentRef<'intent'>
  readonly run_id: RunId
  readonly state: JournalState
  readonly reserved_amount_atomic: bigint
  readonly reserved_fee_atomic: bigint
  readonly plan: DocumentRef<'plan'> | null
  readonly simulation: DocumentRef<'simulation'> | null
  readonly approval: DocumentRef<'approval'> | null
  readonly unsigned_transaction: UnsignedRef | null
  readonly signed_transaction: SignedRef | null
  readonly broadcast: Capsule<'broadcast'> | null
  readonly reconciliation: Capsule<'reconciliation'> | null
  readonly updated_at_ms: bigint
}

/** Canonical form of a journal. */
export const journalShape = record<Journal>({
  schema: oneOf(documentSchema('journal')),
  idempotency_key: identifierShape,
  version: u64,
  policy: refShape('policy'),
  intent: refShape('intent'),
  run_id: runIdShape,
  state: oneOf(...JOURNAL_STATES),
  reserved_amount_atomic: u64,
  reserved_fee_atomic: u64,
  plan: nullable(refShape('plan')),
  simulation: nullable(refShape('simulation')),
  approval: nullable(refShape('approval')),
  unsigned_transaction: nullable(unsignedRefShape),
  signed_transaction: nullable(signedRefShape),
  broadcast: nullable(capsuleShape('broadcast')),
  reconciliation: nullable(capsuleShape('reconciliation')),
  updated_at_ms: u64,
})

/** A journal with the documents of its capsules. */
export type ReadJournal = Sealed<'journal', Journal> & {
  readonly receipt: Sealed<'broadcast', BroadcastReceipt> | null
  readonly observation: Sealed<'reconciliation', Reconciliation> | null
}

/** A meter and the configured depth, from which the cost of a capsule follows. */
export type CapsuleMetering = { readonly meter: Meter; readonly maxJsonDepth: bigint }

const disagree = (detail: string): never => {
  throw journalMismatch(detail)
}

/**
 * Reads the form of a journal and of its capsules; neither state nor binding is judged. Throws SPX-G210 when it is not
 * canonical (also when it renders to other bytes: D14), SPX-G215 for a wrong field, the own codes of a capsule's document.
 */
export function readJournal(bytes: Uint8Array, metering?: CapsuleMetering): ReadJournal {
  const { object, text } = parseCanonical('journal', bytes)
  const journal = journalShape.read(object, disagree, 'journal')
  const receipt = journal.broadcast === null ? null : readReceiptCapsule(journal, journal.broadcast, metering)
  const observation =
    journal.reconciliation === null ? null : readObservationCapsule(receipt, journal.reconciliation, metering)
  requireRerender('journal', journalShape, journal, text)
  return { ...sealText('journal', journal, text, bytes), receipt, observation }
}

function readReceiptCapsule(
  journal: Journal,
  capsule: Capsule<'broadcast'>,
  metering: CapsuleMetering | undefined,
): Sealed<'broadcast', BroadcastReceipt> {
  const bytes = openCapsule('broadcast', capsule, metering)
  if (journal.signed_transaction === null) return disagree('a receipt without a signed transaction')
  // The receipt states rail and transaction id itself; the signed digest is what the journal holds it to.
  const claimed = receiptShape.read(parseCanonical('broadcast', bytes).object, disagree, 'broadcast')
  const identity: SignedIdentity = {
    rail: claimed.rail,
    signedDigest: journal.signed_transaction.digest,
    transactionId: claimed.transaction_id,
  }
  return readReceipt(bytes, identity, 'retained', metering?.meter)
}

function readObservationCapsule(
  receipt: Sealed<'broadcast', BroadcastReceipt> | null,
  capsule: Capsule<'reconciliation'>,
  metering: CapsuleMetering | undefined,
): Sealed<'reconciliation', Reconciliation> {
  if (receipt === null) return disagree('an observation without a receipt')
  const { rail, transaction_id: transactionId } = receipt.document
  const bytes = openCapsule('reconciliation', capsule, metering)
  return readReconciliation(bytes, { rail, transactionId }, undefined, metering?.meter)
}

function openCapsule<Kind extends 'broadcast' | 'reconciliation'>(
  kind: Kind,
  capsule: Capsule<Kind>,
  metering: CapsuleMetering | undefined,
): Uint8Array {
  const bytes = utf8(capsule.document)
  metering?.meter.charge(BigInt(bytes.length) * (metering.maxJsonDepth + 2n))
  if (BigInt(bytes.length) !== capsule.bytes || documentDigest(kind, bytes) !== capsule.digest)
    return disagree(`${kind}: the capsule has another length or digest`)
  return bytes
}
