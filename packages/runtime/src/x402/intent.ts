import {
  documentSchema,
  intentShape,
  isIdentifier,
  MAX_VALIDITY_MS,
  type PaymentIntent,
  RAIL_NETWORKS,
  type Sealed,
  seal,
} from '@oikos/core/economic'
import type { X402Quote } from './quote.ts'

/** What an intent says beside its quote. */
export type QuoteIntent = {
  readonly walletId: string
  /** Milliseconds since 1970. */
  readonly createdAtMs: bigint
  /** What the payment is for, at most 1,024 bytes; an approver sees it. */
  readonly memo: string | null
}

/** A name that no intent can have. Not retryable. */
export class QuoteIntentError extends Error {
  override readonly name = 'QuoteIntentError'
  readonly retryable = false

  constructor(got: string) {
    super(`x402 intent: got ${got.slice(0, 140)}, expected 1 to 128 characters of a-z 0-9 . _ : -`)
  }
}

/**
 * The intent that pays a quote: it names the invoice by its digest and repeats its terms. It ends with the invoice, and ten
 * minutes after its beginning at the latest. It grants nothing: a policy admits it, or does not. Throws
 * {@link QuoteIntentError}.
 */
export function intentOfQuote(
  quote: X402Quote,
  { walletId, createdAtMs, memo }: QuoteIntent,
): Sealed<'intent', PaymentIntent> {
  const { invoice, request } = quote
  const { document } = invoice
  const intentId = `x402.${invoice.digest.slice('sha256:'.length, 'sha256:'.length + 32)}`
  const key = document.idempotency_key
  if (!isIdentifier(walletId)) throw new QuoteIntentError(walletId)
  if (!isIdentifier(key) || !isIdentifier(intentId)) throw new QuoteIntentError(key)
  const { network, asset } = RAIL_NETWORKS[request.rail]
  return seal('intent', intentShape, {
    schema: documentSchema('intent'),
    intent_id: intentId,
    wallet_id: walletId,
    rail: 'x402',
    idempotency_key: key,
    created_at_ms: createdAtMs,
    expires_at_ms: earlierOf(document.expires_at_ms, createdAtMs + MAX_VALIDITY_MS),
    memo,
    payment: {
      kind: 'x402',
      origin: document.origin,
      method: document.method,
      resource: document.resource,
      invoice_digest: invoice.digest,
      payee: document.payee,
      settlement_rail: request.rail,
      network,
      asset,
      amount_atomic: document.amount_atomic,
      max_fee_atomic: document.max_fee_atomic,
      invoice_expires_at_ms: document.expires_at_ms,
      invoice_nonce: document.nonce,
    },
  })
}

function earlierOf(leftMs: bigint, rightMs: bigint): bigint {
  return leftMs < rightMs ? leftMs : rightMs
}
