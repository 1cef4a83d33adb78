import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createCheckedFetch } from './checked-fetch.ts'
import type { CheckedHttpOptions } from './checked-request.ts'
import { RAIL_CHAINS } from './networks.ts'
import { createPaidByTransactionClient } from './paid-by-transaction/client-scheme.ts'
import { isRetryableRefusal } from './paid-by-transaction/facilitator-scheme.ts'
import type { PaymentProof } from './paid-by-transaction/proof.ts'
import type { X402Quote } from './quote.ts'
import { X402Refusal } from './refusal.ts'

/** What a server answers when a payment is presented. */
export type Presentation =
  | {
      readonly accepted: true
      readonly status: number
      readonly contentType: string
      readonly body: Uint8Array
    }
  | {
      readonly accepted: false
      readonly status: number
      /** A code of `docs/paid-by-transaction.md`, or what else the server said; at most 200 characters. */
      readonly reason: string
      /** Whether the same payment may be accepted later. Never a reason to pay again. */
      readonly retryable: boolean
    }

/** The longest reason that is repeated, characters. */
const MAX_REASON_LENGTH = 200

/**
 * Presents a payment for a quote and fetches what was bought, through the unmodified `@x402/fetch`. It may be repeated as
 * often as needed: a server that accepted a payment accepts it again under the same identifier. Throws {@link X402Refusal}.
 */
export async function presentPayment(
  quote: X402Quote,
  proof: PaymentProof,
  options: CheckedHttpOptions = {},
): Promise<Presentation> {
  const { origin, method, resource, rail } = quote.request
  const client = new x402Client()
    .register(RAIL_CHAINS[rail], createPaidByTransactionClient({ invoice: quote.terms, proof }))
    // The money has moved; there is nothing left to control.
    .setSpendControls(false)
  const fetchPaid = wrapFetchWithPayment(createCheckedFetch(options), client)
  const response = await fetchPaid(`${origin}${resource}`, { method }).catch(asRefusal)
  const { status } = response
  if (status >= 200 && status < 300) {
    const contentType = response.headers.get('content-type') ?? ''
    return { accepted: true, status, contentType, body: new Uint8Array(await response.arrayBuffer()) }
  }
  const reason = reasonOf(response.headers).slice(0, MAX_REASON_LENGTH)
  // 5xx: the server accepted, or would have, and failed on its own.
  return { accepted: false, status, reason, retryable: status >= 500 || isRetryableRefusal(reason) }
}

/** What `@x402/fetch` throws itself is about the server's demand. */
function asRefusal(cause: unknown): never {
  if (cause instanceof X402Refusal) throw cause
  const detail = cause instanceof Error ? cause.message.slice(0, MAX_REASON_LENGTH) : 'no demand that can be met'
  throw new X402Refusal('no_match', 'policy_rejected', detail, cause)
}

/** Why a server did not accept: the settlement's reason, or the error of a new demand. */
function reasonOf(headers: Headers): string {
  for (const [name, member] of [
    ['payment-response', 'errorReason'],
    ['payment-required', 'error'],
  ] as const) {
    try {
      const value: unknown = JSON.parse(Buffer.from(headers.get(name) ?? '', 'base64').toString('utf8'))
      const reason =
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[member] : undefined
      if (typeof reason === 'string') return reason
    } catch {
      // No such header, or not JSON.
    }
  }
  return 'no reason given'
}
