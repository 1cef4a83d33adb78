import {
  type ApprovalRequest,
  approvalRequestShape,
  documentDigest,
  documentSchema,
  type Identifier,
  intentShape,
  isIdentifier,
  isRailAddress,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  policyShape,
  RAIL_NETWORKS,
  type Rail,
  renderCanonical,
  runIdOf,
  type Sealed,
  seal,
  utf8,
} from '@oikos/core/economic'
import { keyOf } from './payer.ts'

/** When these requests are made, and when they end. */
export const NOW_MS = 1_900_000_000_000
export const END_MS = NOW_MS + 60_000

export const WALLET = 'test.wallet'

/** What a request of a test is about. */
export type TestRequest = {
  readonly rail?: Rail
  readonly amountAtomic?: bigint
  readonly maxFeeAtomic?: bigint
  readonly walletId?: string
  readonly memo?: string | null
  readonly key?: string
  readonly x402?: { readonly origin: string; readonly method: string; readonly resource: string }
  readonly endMs?: number
}

/** An Approval Request with the intent and the policy that it names. */
export type TestRequestDocuments = {
  readonly request: Sealed<'approval_request', ApprovalRequest>
  readonly intent: string
  readonly policy: string
}

/** Makes one; requests of different keys differ. */
export function approvalRequestOf(test: TestRequest = {}): TestRequestDocuments {
  const { rail = 'evm', amountAtomic = 1_000n, maxFeeAtomic = 100_000n, memo = 'for the data', key = 'key.1' } = test
  const { network, asset } = RAIL_NETWORKS[rail]
  const walletId = identifier(test.walletId ?? WALLET)
  const recipient = keyOf(rail, 9).address
  if (!isRailAddress(rail, recipient)) throw new Error('no address')
  const policy = renderCanonical(policyShape, {
    schema: documentSchema('policy'),
    economic_agent_id: identifier('test.agent'),
    wallet_id: walletId,
    network_policies: [
      {
        rail,
        network,
        asset,
        recipients: [recipient],
        max_amount_atomic: 50_000n,
        max_fee_atomic: 100_000n,
        max_rolling_24h_atomic: 200_000n,
      },
    ],
    x402_origins: [],
    limits: PRODUCTION_LIMITS,
    nonclaims: NONCLAIMS,
  })
  const intent = renderCanonical(intentShape, {
    schema: documentSchema('intent'),
    intent_id: identifier(`intent.${key}`),
    wallet_id: walletId,
    rail: 'evm',
    idempotency_key: identifier(key),
    created_at_ms: BigInt(NOW_MS),
    expires_at_ms: BigInt(NOW_MS) + 300_000n,
    memo,
    payment: {
      kind: 'evm',
      network: 'sepolia',
      asset: 'native:eth',
      recipient,
      amount_atomic: amountAtomic,
      max_fee_atomic: maxFeeAtomic,
    },
  })
  const refOf = <Kind extends 'policy' | 'intent' | 'plan' | 'simulation'>(kind: Kind, text: string) => ({
    schema: documentSchema(kind),
    digest: documentDigest(kind, utf8(text)),
    bytes: BigInt(utf8(text).length),
  })
  const { origin = null, method = null, resource = null } = test.x402 ?? {}
  const request = seal('approval_request', approvalRequestShape, {
    schema: documentSchema('approval_request'),
    run_id: runIdOf({
      sourceEvidence: `sha256:${'0'.repeat(64)}` as never,
      policy: documentDigest('policy', utf8(policy)),
      intent: documentDigest('intent', utf8(intent)),
      idempotencyKey: key,
    }),
    wallet_id: walletId,
    rail,
    network,
    asset,
    recipient,
    amount_atomic: amountAtomic,
    max_fee_atomic: maxFeeAtomic,
    origin,
    method,
    resource,
    policy: refOf('policy', policy),
    intent: refOf('intent', intent),
    plan: refOf('plan', `plan ${key}`),
    simulation: refOf('simulation', `simulation ${key}`),
    expires_at_ms: BigInt(test.endMs ?? END_MS),
  })
  return { request, intent, policy }
}

function identifier(text: string): Identifier {
  if (!isIdentifier(text)) throw new Error(`no identifier: ${text}`)
  return text
}
