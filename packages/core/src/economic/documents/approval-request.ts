import type { Admission } from '../admission.ts'
import { parseCanonical, refuseAs, requireRerender } from '../canonical.ts'
import type { Asset, Network, Rail } from '../catalog.ts'
import { documentSchema } from '../catalog.ts'
import { limitExceeded } from '../diagnostics.ts'
import type { RunId } from '../digest.ts'
import type { Identifier } from '../identifier.ts'
import type { RailAddress } from '../rails/address.ts'
import type { DocumentRef } from '../references.ts'
import { identifierShape, refShape, runIdShape } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { refOf, seal, sealText } from '../sealed.ts'
import { anyText, nullable, oneOf, record, u64 } from '../shape.ts'
import type { PaymentPlan } from './plan.ts'
import { railAddressShape, railShape } from './policy.ts'
import type { Simulation } from './simulation.ts'

/** All that an approver is shown. The x402 texts are null for a plain payment. Source: notes, section 3. */
export type ApprovalRequest = {
  readonly schema: 'semaprax.economic-agent-approval-request.v1'
  readonly run_id: RunId
  readonly wallet_id: Identifier
  readonly rail: Rail
  readonly network: Network
  readonly asset: Asset
  readonly recipient: RailAddress
  readonly amount_atomic: bigint
  readonly max_fee_atomic: bigint
  readonly origin: string | null
  readonly method: string | null
  readonly resource: string | null
  readonly policy: DocumentRef<'policy'>
  readonly intent: DocumentRef<'intent'>
  readonly plan: DocumentRef<'plan'>
  readonly simulation: DocumentRef<'simulation'>
  /** The end of the simulation. */
  readonly expires_at_ms: bigint
}

/** Canonical form of an approval request. */
export const approvalRequestShape = record<ApprovalRequest>({
  schema: oneOf(documentSchema('approval_request')),
  run_id: runIdShape,
  wallet_id: identifierShape,
  rail: railShape,
  network: oneOf('sepolia', 'devnet', 'regtest'),
  asset: oneOf('native:eth', 'native:sol', 'native:btc'),
  recipient: railAddressShape,
  amount_atomic: u64,
  max_fee_atomic: u64,
  origin: nullable(anyText),
  method: nullable(anyText),
  resource: nullable(anyText),
  policy: refShape('policy'),
  intent: refShape('intent'),
  plan: refShape('plan'),
  simulation: refShape('simulation'),
  expires_at_ms: u64,
})

/** Builds the request for an approval. Throws SPX-G216 `approval_request_bytes`. */
export function buildApprovalRequest(
  admission: Admission,
  plan: Sealed<'plan', PaymentPlan>,
  simulation: Sealed<'simulation', Simulation>,
): Sealed<'approval_request', ApprovalRequest> {
  const { settlement, policy, intent, x402 } = admission
  const request = seal('approval_request', approvalRequestShape, {
    schema: documentSchema('approval_request'),
    run_id: admission.runId,
    wallet_id: intent.document.wallet_id,
    rail: settlement.rail,
    network: settlement.network,
    asset: settlement.asset,
    recipient: settlement.recipient,
    amount_atomic: settlement.amountAtomic,
    max_fee_atomic: settlement.maxFeeAtomic,
    origin: x402?.origin ?? null,
    method: x402?.method ?? null,
    resource: x402?.resource ?? null,
    policy: refOf(policy),
    intent: refOf(intent),
    plan: refOf(plan),
    simulation: refOf(simulation),
    expires_at_ms: simulation.document.expires_at_ms,
  })
  const maximum = policy.document.limits.max_approval_request_bytes
  if (BigInt(request.bytes.length) > maximum) throw limitExceeded('approval_request_bytes', maximum)
  return request
}

/** Reads an approval request: form only. For approvers. Throws SPX-G210 or SPX-G216. */
export function parseApprovalRequest(bytes: Uint8Array): Sealed<'approval_request', ApprovalRequest> {
  const { object, text } = parseCanonical('approval_request', bytes)
  const request = approvalRequestShape.read(object, refuseAs('approval_request'), 'approval_request')
  requireRerender('approval_request', approvalRequestShape, request, text)
  return sealText('approval_request', request, text, bytes)
}
