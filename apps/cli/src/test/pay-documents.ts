import {
  documentSchema,
  type Identifier,
  intentShape,
  type NetworkPolicy,
  NONCLAIMS,
  type Payment,
  PRODUCTION_LIMITS,
  policyShape,
  RAIL_NETWORKS,
  type Rail,
  type RailAddress,
  renderCanonical,
} from '@oikos/core/economic'

/** Where the shop of these tests says that it is. */
export const ORIGIN = 'https://market.example.org'

/** Whom the wallet `buyer` pays on one rail, and what at most. Amounts in the smallest unit. */
export type PaidTerms = {
  readonly rail: Rail
  readonly recipient: RailAddress
  readonly amountAtomic: bigint
  readonly maxFeeAtomic: bigint
}

/** A policy with one recipient, one shop, and ten payments a day. */
export function policyOf({ rail, recipient, amountAtomic, maxFeeAtomic }: PaidTerms): string {
  const row = {
    rail,
    ...RAIL_NETWORKS[rail],
    recipients: [recipient],
    max_amount_atomic: amountAtomic,
    max_fee_atomic: maxFeeAtomic,
    max_rolling_24h_atomic: amountAtomic * 10n,
  } as NetworkPolicy
  return renderCanonical(policyShape, {
    schema: documentSchema('policy'),
    economic_agent_id: 'buyer.agent' as Identifier,
    wallet_id: 'buyer' as Identifier,
    network_policies: [row],
    x402_origins: [
      {
        origin: ORIGIN,
        methods: ['GET'],
        resources: ['/data'],
        settlement_rails: [rail],
        max_amount_atomic: amountAtomic,
      },
    ],
    limits: PRODUCTION_LIMITS,
    nonclaims: NONCLAIMS,
  })
}

/** An intent under a key. */
export function intentOf(key: string, terms: PaidTerms, createdAtMs = BigInt(Date.now())): string {
  return renderCanonical(intentShape, {
    schema: documentSchema('intent'),
    intent_id: `intent.${key}` as Identifier,
    wallet_id: 'buyer' as Identifier,
    rail: terms.rail,
    idempotency_key: key as Identifier,
    created_at_ms: createdAtMs,
    expires_at_ms: createdAtMs + 300_000n,
    memo: 'data for the tender',
    payment: paymentOf(terms),
  })
}

/** What each rail wants to know beside recipient, amount and fee. */
const EXTRAS: Readonly<Record<Rail, object>> = {
  evm: {},
  solana: { max_compute_units: 1_000n, max_priority_fee_atomic: 100n },
  bitcoin: { confirmation_target: 1n },
}

function paymentOf({ rail, recipient, amountAtomic, maxFeeAtomic }: PaidTerms): Payment {
  return {
    kind: rail,
    ...RAIL_NETWORKS[rail],
    recipient,
    amount_atomic: amountAtomic,
    max_fee_atomic: maxFeeAtomic,
    ...EXTRAS[rail],
  } as Payment
}

/** A rule that approves up to an amount, five times that a day. */
export function ruleOf({ rail, amountAtomic, maxFeeAtomic }: Omit<PaidTerms, 'recipient'>) {
  const row = {
    ...{ walletId: 'buyer', rail, maxAmountAtomic: `${amountAtomic}`, maxFeeAtomic: `${maxFeeAtomic}` },
    ...{ windowMs: 86_400_000, maxWindowAtomic: `${amountAtomic * 5n}`, maxWindowPayments: 5 },
  }
  return { approverId: 'rule', limits: [row] }
}
