import type { Meter } from '../canonical.ts'
import { parseCanonical, precheck, quotedBytes, refuseAs, requireRerender } from '../canonical.ts'
import type { Network, Rail } from '../catalog.ts'
import { documentSchema, RAIL_NETWORKS } from '../catalog.ts'
import { notCanonical, transactionMismatch } from '../diagnostics.ts'
import type { SignedDigest } from '../digest.ts'
import type { Limits } from '../limits.ts'
import type { TransactionId } from '../rails/built.ts'
import { transactionIdShape } from '../rails/transaction-id.ts'
import { digestShape } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { seal, sealText } from '../sealed.ts'
import { anyText, oneOf, record, u64 } from '../shape.ts'
import { railShape } from './policy.ts'

/** What became of a broadcast, as far as it is known. */
export type Disposition = 'accepted' | 'pending' | 'unknown' | 'rejected'
/** All dispositions. */
export const DISPOSITIONS = ['accepted', 'pending', 'unknown', 'rejected'] as const satisfies readonly Disposition[]

/**
 * The answer to a broadcast. `observed_at_ms` is zero only in the provisional receipt, which the engine writes before it
 * broadcasts. Source: notes, section 3.
 */
export type BroadcastReceipt = {
  readonly schema: 'semaprax.economic-agent-broadcast-receipt.v1'
  readonly rail: Rail
  readonly network: Network
  readonly signed_transaction_digest: SignedDigest
  readonly transaction_id: TransactionId
  readonly disposition: Disposition
  readonly observed_at_ms: bigint
}

/** Canonical form of a receipt. */
export const receiptShape = record<BroadcastReceipt>({
  schema: oneOf(documentSchema('broadcast')),
  rail: railShape,
  network: oneOf('sepolia', 'devnet', 'regtest'),
  signed_transaction_digest: digestShape<SignedDigest>(),
  transaction_id: transactionIdShape,
  disposition: oneOf(...DISPOSITIONS),
  observed_at_ms: u64,
})

/** The transaction that a receipt or an observation must be about. */
export type SignedIdentity = {
  readonly rail: Rail
  readonly signedDigest: SignedDigest
  readonly transactionId: TransactionId
}

const refuse = refuseAs('broadcast')

/** Whether the engine wrote this receipt itself, before the broadcast. */
export function isProvisional(receipt: BroadcastReceipt): boolean {
  return receipt.disposition === 'unknown' && receipt.observed_at_ms === 0n
}

/** The receipt that is recorded before the broadcast, so that the transaction id survives a crash. */
export function provisionalReceipt(identity: SignedIdentity): Sealed<'broadcast', BroadcastReceipt> {
  return seal('broadcast', receiptShape, {
    schema: documentSchema('broadcast'),
    rail: identity.rail,
    network: RAIL_NETWORKS[identity.rail].network,
    signed_transaction_digest: identity.signedDigest,
    transaction_id: identity.transactionId,
    disposition: 'unknown',
    observed_at_ms: 0n,
  })
}

/**
 * Reads the receipt of an adapter. Throws SPX-G216, SPX-G217, SPX-G210 and SPX-G213 in the order of the notes, section 14.
 */
export function parseReceipt(
  bytes: Uint8Array,
  identity: SignedIdentity,
  limits: Limits,
  meter?: Meter,
): Sealed<'broadcast', BroadcastReceipt> {
  precheck('broadcast', bytes, limits, meter)
  return readReceipt(bytes, identity, 'adapter', meter)
}

/**
 * Reads a receipt without the configured limits. `adapter` demands a positive observation time, `retained` also takes a
 * provisional receipt, as a journal holds it.
 */
export function readReceipt(
  bytes: Uint8Array,
  identity: SignedIdentity,
  origin: 'adapter' | 'retained',
  meter?: Meter,
): Sealed<'broadcast', BroadcastReceipt> {
  const { object, text } = parseCanonical('broadcast', bytes)
  const disagree = (detail: string): never => {
    throw transactionMismatch(detail)
  }
  const fields = receiptShape.readKeys(object, disagree, 'broadcast')
  const rail = anyText.read(fields.rail, refuse, 'rail')
  const network = anyText.read(fields.network, refuse, 'network')
  const digest = anyText.read(fields.signed_transaction_digest, refuse, 'signed_transaction_digest')
  const transactionId = anyText.read(fields.transaction_id, refuse, 'transaction_id')
  const disposition = anyText.read(fields.disposition, refuse, 'disposition')
  const observed = u64.read(fields.observed_at_ms, refuse, 'observed_at_ms')
  const { network: expectedNetwork } = RAIL_NETWORKS[identity.rail]
  if (rail !== identity.rail || network !== expectedNetwork || digest !== identity.signedDigest)
    disagree('another rail, network or signed transaction')
  if (transactionId !== identity.transactionId) disagree(`transaction_id: expected ${identity.transactionId}`)
  const known = DISPOSITIONS.find((candidate) => candidate === disposition)
  if (known === undefined) throw notCanonical('broadcast', `disposition: got ${disposition}`)
  if (observed === 0n && (origin === 'adapter' || known !== 'unknown')) disagree('observed_at_ms: got 0')
  const receipt: BroadcastReceipt = {
    schema: documentSchema('broadcast'),
    rail: identity.rail,
    network: expectedNetwork,
    signed_transaction_digest: identity.signedDigest,
    transaction_id: identity.transactionId,
    disposition: known,
    observed_at_ms: observed,
  }
  meter?.charge(receiptTextBytes(receipt) + quotedBytes(known))
  requireRerender('broadcast', receiptShape, receipt, text)
  return sealText('broadcast', receipt, text, bytes)
}

/** Quoted bytes of a receipt's strings, except schema and disposition. */
export function receiptTextBytes(receipt: BroadcastReceipt): bigint {
  return quotedBytes(receipt.rail, receipt.network, receipt.signed_transaction_digest, receipt.transaction_id)
}
