import { CustodyError } from '../custody/errors.ts'
import type { Vault } from '../custody/vault.ts'
import type { CheckedHttpOptions } from './checked-request.ts'
import { paymentIdentifierOf } from './payment-identifier.ts'
import { type Presentation, presentPayment } from './present.ts'
import type { X402Quote } from './quote.ts'
import { X402Refusal } from './refusal.ts'

/** A purchase that is paid and was not handed out. The payment stands: present it again, never pay again. */
export type Undelivered = { readonly accepted: false; readonly reason: string; readonly retryable: boolean }

/** A transaction that is confirmed, and the wallet that signed it. */
export type ConfirmedPayment = { readonly walletId: string; readonly transactionId: string }

/**
 * Proves a confirmed payment with the wallet that made it, presents it and fetches what was bought. It may be repeated: a
 * server that accepted a payment accepts it again. What custody or the server refuses is a value, since the payment stands.
 */
export async function redeemPayment(
  quote: X402Quote,
  { walletId, transactionId }: ConfirmedPayment,
  { vault, http }: { readonly vault: Pick<Vault, 'prove'>; readonly http: CheckedHttpOptions },
): Promise<Extract<Presentation, { accepted: true }> | Undelivered> {
  try {
    const paymentId = paymentIdentifierOf(quote.request.idempotencyKey)
    const proof = await vault.prove({ walletId, transactionId, invoice: quote.terms, paymentId })
    return await presentPayment(quote, proof, http)
  } catch (cause) {
    if (!(cause instanceof X402Refusal) && !(cause instanceof CustodyError)) throw cause
    return { accepted: false, reason: cause.message, retryable: cause.retryable }
  }
}
