import {
  type ConfirmationStatus,
  type Disposition,
  documentSchema,
  RAIL_NETWORKS,
  type Rail,
  receiptShape,
  reconciliationShape,
  seal,
  signedDigest,
  type TransactionId,
} from '@oikos/core/economic'
import type { PushSink } from '../../economic/host.ts'

/** What a rail says about a transaction that it was given to send. Time in milliseconds since 1970. */
export type ReceiptFacts = {
  readonly rail: Rail
  readonly signedTransaction: Uint8Array
  readonly transactionId: TransactionId
  readonly disposition: Disposition
  readonly observedAtMs: bigint
}

/** Pushes a Broadcast Receipt. */
export function pushReceipt(sink: PushSink, facts: ReceiptFacts): void {
  const receipt = seal('broadcast', receiptShape, {
    schema: documentSchema('broadcast'),
    rail: facts.rail,
    network: RAIL_NETWORKS[facts.rail].network,
    signed_transaction_digest: signedDigest(facts.signedTransaction),
    transaction_id: facts.transactionId,
    disposition: facts.disposition,
    observed_at_ms: facts.observedAtMs,
  })
  sink.push(receipt.bytes)
}

/** A block of the chain as a rail names it, and how many blocks, itself included, stand on it. */
export type SeenBlock = { readonly height: bigint; readonly blockId: string; readonly confirmations: bigint }

/**
 * What a rail sees of a transaction. `block` holds it (pending below the target, confirmed), or is the one that shows its
 * end (dropped: the block of what took its place, where it is known); null when no block is concerned.
 */
export type Observation =
  | { readonly status: Exclude<ConfirmationStatus, 'confirmed'>; readonly block: SeenBlock | null }
  | { readonly status: 'confirmed'; readonly block: SeenBlock }

/** Pushes a Reconciliation. */
export function pushObservation(
  sink: PushSink,
  about: { readonly rail: Rail; readonly transactionId: TransactionId; readonly observedAtMs: bigint },
  { status, block }: Observation,
): void {
  const observation = seal('reconciliation', reconciliationShape, {
    schema: documentSchema('reconciliation'),
    rail: about.rail,
    network: RAIL_NETWORKS[about.rail].network,
    transaction_id: about.transactionId,
    status,
    observed_at_ms: about.observedAtMs,
    observed_height: block?.height ?? null,
    confirmations: block?.confirmations ?? null,
    canonical_block_id: block?.blockId ?? null,
  })
  sink.push(observation.bytes)
}
