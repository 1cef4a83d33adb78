import { checkIdentifierLength } from '../admission.ts'
import type { Meter } from '../canonical.ts'
import { parseCanonical, precheck, quotedBytes, refuseAs, requireRerender } from '../canonical.ts'
import type { Network, Rail } from '../catalog.ts'
import { documentSchema, RAIL_NETWORKS } from '../catalog.ts'
import { journalMismatch, notCanonical, transactionMismatch } from '../diagnostics.ts'
import type { Limits } from '../limits.ts'
import type { TransactionId } from '../rails/built.ts'
import { transactionIdShape } from '../rails/transaction-id.ts'
import type { Sealed } from '../sealed.ts'
import { sealText } from '../sealed.ts'
import { anyText, nullable, oneOf, record, u64 } from '../shape.ts'
import { railShape } from './policy.ts'
import type { SignedIdentity } from './receipt.ts'

/** What the chain says about a transaction. */
export type ConfirmationStatus = 'pending' | 'confirmed' | 'reorged' | 'dropped'
/** All confirmation statuses. */
export const CONFIRMATION_STATUSES = [
  'pending',
  'confirmed',
  'reorged',
  'dropped',
] as const satisfies readonly ConfirmationStatus[]

/** One observation of a transaction. Height, confirmations and block are all present when confirmed. Source: notes, section 3. */
export type Reconciliation = {
  readonly schema: 'semaprax.economic-agent-reconciliation.v1'
  readonly rail: Rail
  readonly network: Network
  readonly transaction_id: TransactionId
  readonly status: ConfirmationStatus
  readonly observed_at_ms: bigint
  readonly observed_height: bigint | null
  readonly confirmations: bigint | null
  /** Any text of at most `max_identifier_bytes`. */
  readonly canonical_block_id: string | null
}

/** Canonical form of an observation. */
export const reconciliationShape = record<Reconciliation>({
  schema: oneOf(documentSchema('reconciliation')),
  rail: railShape,
  network: oneOf('sepolia', 'devnet', 'regtest'),
  transaction_id: transactionIdShape,
  status: oneOf(...CONFIRMATION_STATUSES),
  observed_at_ms: u64,
  observed_height: nullable(u64),
  confirmations: nullable(u64),
  canonical_block_id: nullable(anyText),
})

const refuse = refuseAs('reconciliation')

/** What an observation is compared with. `confirmationTarget` in blocks; zero on EVM and Solana. */
export type ReconciliationContext = {
  readonly identity: Omit<SignedIdentity, 'signedDigest'>
  readonly limits: Limits
  readonly confirmationTarget: bigint
}

/**
 * Reads the observation of an adapter. Throws SPX-G216, SPX-G217, SPX-G210, SPX-G215 and, for too few confirmations,
 * SPX-G213, in the order of the notes, section 14.
 */
export function parseReconciliation(
  bytes: Uint8Array,
  context: ReconciliationContext,
  meter?: Meter,
): Sealed<'reconciliation', Reconciliation> {
  precheck('reconciliation', bytes, context.limits, meter)
  const observation = readReconciliation(bytes, context.identity, context.limits, meter)
  const { status, confirmations } = observation.document
  if (status === 'confirmed' && (confirmations ?? 0n) < context.confirmationTarget)
    throw transactionMismatch(`confirmations: got ${confirmations}, expected ${context.confirmationTarget}`)
  return observation
}

/** Reads an observation without the pre-check and the confirmation target, as a journal holds it. */
export function readReconciliation(
  bytes: Uint8Array,
  identity: Omit<SignedIdentity, 'signedDigest'>,
  limits?: Limits,
  meter?: Meter,
): Sealed<'reconciliation', Reconciliation> {
  const { object, text } = parseCanonical('reconciliation', bytes)
  const disagree = (detail: string): never => {
    throw journalMismatch(detail)
  }
  const fields = reconciliationShape.readKeys(object, disagree, 'reconciliation')
  const rail = anyText.read(fields.rail, refuse, 'rail')
  const network = anyText.read(fields.network, refuse, 'network')
  const transactionId = anyText.read(fields.transaction_id, refuse, 'transaction_id')
  const { network: expectedNetwork } = RAIL_NETWORKS[identity.rail]
  if (rail !== identity.rail || network !== expectedNetwork || transactionId !== identity.transactionId)
    disagree('another rail, network or transaction')
  const status = CONFIRMATION_STATUSES.find((candidate) => candidate === fields.status)
  if (status === undefined) throw notCanonical('reconciliation', 'status: unknown')
  const observation: Reconciliation = {
    schema: documentSchema('reconciliation'),
    rail: identity.rail,
    network: expectedNetwork,
    transaction_id: identity.transactionId,
    status,
    observed_at_ms: u64.read(fields.observed_at_ms, refuse, 'observed_at_ms'),
    observed_height: nullable(u64).read(fields.observed_height, refuse, 'observed_height'),
    confirmations: nullable(u64).read(fields.confirmations, refuse, 'confirmations'),
    canonical_block_id: nullable(anyText).read(fields.canonical_block_id, refuse, 'canonical_block_id'),
  }
  const { observed_height: height, confirmations, canonical_block_id: block } = observation
  if (block !== null && limits !== undefined) checkIdentifierLength(block, limits)
  if (status === 'confirmed' && (height === null || confirmations === null || block === null))
    disagree('confirmed without height, confirmations and block')
  meter?.charge(observationTextBytes(observation))
  requireRerender('reconciliation', reconciliationShape, observation, text)
  return sealText('reconciliation', observation, text, bytes)
}

/** Quoted bytes of an observation's strings, except schema. */
function observationTextBytes(observation: Reconciliation): bigint {
  const { rail, network, transaction_id: id, status, canonical_block_id: block } = observation
  return quotedBytes(rail, network, id, status, ...(block === null ? [] : [block]))
}
