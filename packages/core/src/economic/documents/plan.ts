import type { Admission } from '../admission.ts'
import { parseCanonical, refuseAs, requireRerender } from '../canonical.ts'
import type { Asset, Network, Rail } from '../catalog.ts'
import { documentSchema } from '../catalog.ts'
import { intentRejected, limitExceeded, transactionMismatch } from '../diagnostics.ts'
import type { RunId } from '../digest.ts'
import type { Identifier } from '../identifier.ts'
import type { RailAddress } from '../rails/address.ts'
import type { AgentEvidenceRef, DocumentRef, UnsignedRef } from '../references.ts'
import { agentEvidenceRefShape, identifierShape, refShape, runIdShape, unsignedRefShape } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { refOf, seal, sealText } from '../sealed.ts'
import { nullable, oneOf, record, u64 } from '../shape.ts'
import type { X402Invoice } from './invoice.ts'
import { railAddressShape, railShape } from './policy.ts'
import type { ChainSnapshot } from './snapshot.ts'

/** The transfer that will be signed and all that it rests on. `rail` is the settlement rail. Source: notes, section 3. */
export type PaymentPlan = {
  readonly schema: 'semaprax.economic-agent-payment-plan.v1'
  readonly run_id: RunId
  readonly source_agent_evidence: AgentEvidenceRef
  readonly policy: DocumentRef<'policy'>
  readonly intent: DocumentRef<'intent'>
  readonly x402_invoice: DocumentRef<'invoice'> | null
  readonly chain_snapshot: DocumentRef<'snapshot'>
  readonly rail: Rail
  readonly network: Network
  readonly asset: Asset
  readonly wallet_id: Identifier
  readonly recipient: RailAddress
  readonly amount_atomic: bigint
  readonly max_fee_atomic: bigint
  readonly unsigned_transaction: UnsignedRef
  /** The earliest end of snapshot, intent and invoice. */
  readonly expires_at_ms: bigint
}

/** Canonical form of a plan. */
export const planShape = record<PaymentPlan>({
  schema: oneOf(documentSchema('plan')),
  run_id: runIdShape,
  source_agent_evidence: agentEvidenceRefShape,
  policy: refShape('policy'),
  intent: refShape('intent'),
  x402_invoice: nullable(refShape('invoice')),
  chain_snapshot: refShape('snapshot'),
  rail: railShape,
  network: oneOf('sepolia', 'devnet', 'regtest'),
  asset: oneOf('native:eth', 'native:sol', 'native:btc'),
  wallet_id: identifierShape,
  recipient: railAddressShape,
  amount_atomic: u64,
  max_fee_atomic: u64,
  unsigned_transaction: unsignedRefShape,
  expires_at_ms: u64,
})

/** What a plan is built from. `invoice` is null unless the intent is an x402 payment. */
export type PlanParts = {
  readonly admission: Admission
  readonly invoice: Sealed<'invoice', X402Invoice> | null
  readonly snapshot: Sealed<'snapshot', ChainSnapshot>
  readonly unsigned: UnsignedRef
}

/**
 * Throws SPX-G212 `expired` unless the snapshot was seen at or after the intent was made and before intent, invoice and
 * plan end. Source: notes, section 9, freshness.
 */
export function checkSnapshotFreshness(parts: Omit<PlanParts, 'unsigned'>): void {
  const { observed_at_ms: observed } = parts.snapshot.document
  const created = parts.admission.intent.document.created_at_ms
  // The plan ends with the first of snapshot, intent and invoice.
  const fresh = created <= observed && observed < planExpiry(parts)
  if (!fresh) throw intentRejected('expired', `the snapshot was observed at ${observed}`)
}

/** Builds the plan. Throws SPX-G212, SPX-G213 (an invoice is missing or superfluous) or SPX-G216 `plan_bytes`. */
export function buildPlan(parts: PlanParts): Sealed<'plan', PaymentPlan> {
  const { admission, invoice, snapshot, unsigned } = parts
  const { settlement, policy, intent } = admission
  if ((invoice === null) !== (admission.x402 === null)) throw transactionMismatch('invoice and intent disagree')
  checkSnapshotFreshness(parts)
  const plan = seal('plan', planShape, {
    schema: documentSchema('plan'),
    run_id: admission.runId,
    source_agent_evidence: admission.source,
    policy: refOf(policy),
    intent: refOf(intent),
    x402_invoice: invoice === null ? null : refOf(invoice),
    chain_snapshot: refOf(snapshot),
    rail: settlement.rail,
    network: settlement.network,
    asset: settlement.asset,
    wallet_id: intent.document.wallet_id,
    recipient: settlement.recipient,
    amount_atomic: settlement.amountAtomic,
    max_fee_atomic: settlement.maxFeeAtomic,
    unsigned_transaction: unsigned,
    expires_at_ms: planExpiry(parts),
  })
  const maximum = policy.document.limits.max_plan_bytes
  if (BigInt(plan.bytes.length) > maximum) throw limitExceeded('plan_bytes', maximum)
  return plan
}

function planExpiry(parts: Omit<PlanParts, 'unsigned'>): bigint {
  const intentEnd = parts.admission.intent.document.expires_at_ms
  const first = earlier(parts.snapshot.document.expires_at_ms, intentEnd)
  return parts.invoice === null ? first : earlier(first, parts.invoice.document.expires_at_ms)
}

function earlier(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

/** Reads a plan: form only. Throws SPX-G210 or SPX-G216. */
export function parsePlan(bytes: Uint8Array): Sealed<'plan', PaymentPlan> {
  const { object, text } = parseCanonical('plan', bytes)
  const plan = planShape.read(object, refuseAs('plan'), 'plan')
  requireRerender('plan', planShape, plan, text)
  return sealText('plan', plan, text, bytes)
}
