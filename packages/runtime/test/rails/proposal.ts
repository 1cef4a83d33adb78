import {
  documentSchema,
  type Identifier,
  intentShape,
  isIdentifier,
  type NetworkPolicy,
  NONCLAIMS,
  type Payment,
  PRODUCTION_LIMITS,
  policyShape,
  RAIL_NETWORKS,
  type Rail,
  type RailAddress,
  renderCanonical,
  type SourceRunBytes,
} from '@oikos/core/economic'
import { rehearsalRunOf } from '../../src/rehearsal/index.ts'
import type { SuitePayment } from './rail-under-test.ts'

/** The wallet of every payment of the suite. */
export const SUITE_WALLET = identifier('suite.wallet')

/** How long an intent of the suite lives, milliseconds. */
const INTENT_LIFE_MS = 600_000n

/** A policy of one row: payments over one rail to one recipient. Amounts in the smallest unit of the asset. */
export function suitePolicy<R extends Rail>(
  rail: R,
  row: { readonly recipient: RailAddress<R>; readonly maxAmountAtomic: bigint; readonly maxFeeAtomic: bigint },
): string {
  const network = {
    rail,
    ...RAIL_NETWORKS[rail],
    recipients: [row.recipient],
    max_amount_atomic: row.maxAmountAtomic,
    max_fee_atomic: row.maxFeeAtomic,
    max_rolling_24h_atomic: PRODUCTION_LIMITS.max_amount_atomic,
  } as NetworkPolicy
  return renderCanonical(policyShape, {
    schema: documentSchema('policy'),
    economic_agent_id: identifier('suite.agent'),
    wallet_id: SUITE_WALLET,
    network_policies: [network],
    x402_origins: [],
    limits: PRODUCTION_LIMITS,
    nonclaims: NONCLAIMS,
  })
}

/** The source run that proposes one payment. */
export function suiteSource({ idempotencyKey, createdAtMs }: SuitePayment, payment: Payment): SourceRunBytes {
  const intent = renderCanonical(intentShape, {
    schema: documentSchema('intent'),
    intent_id: identifier(`intent.${idempotencyKey}`),
    wallet_id: SUITE_WALLET,
    rail: payment.kind,
    idempotency_key: identifier(idempotencyKey),
    created_at_ms: createdAtMs,
    expires_at_ms: createdAtMs + INTENT_LIFE_MS,
    memo: null,
    payment,
  })
  return rehearsalRunOf(intent)
}

function identifier(text: string): Identifier {
  if (!isIdentifier(text)) throw new TypeError(`suite: got ${text}, expected an identifier`)
  return text
}
