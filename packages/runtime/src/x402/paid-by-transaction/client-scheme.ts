import type { SchemeNetworkClient } from '@x402/core/types'
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier'
import { RAIL_CHAINS } from '../networks.ts'
import type { PaymentProof } from './proof.ts'
import { type IssuedInvoice, PAID_BY_TRANSACTION, wireInvoice } from './terms.ts'

/** A payment that was made for an invoice, ready to be presented. */
export type InvoicePayment = { readonly invoice: IssuedInvoice; readonly proof: PaymentProof }

/** The server asks on another chain than the one that the payment was made on. Nothing was sent. */
export class PaymentChainError extends Error {
  override readonly name = 'PaymentChainError'
  readonly retryable = false

  constructor(got: string, expected: string) {
    super(`paid-by-transaction: the server asks on ${got.slice(0, 100)}, paid was on ${expected}`)
  }
}

/**
 * The payer's side of `paid-by-transaction`, for `x402Client` of `@x402/core`: it presents one payment that was already
 * made. It cannot pay, so however often a server asks, nothing is paid twice.
 */
export function createPaidByTransactionClient({ invoice, proof }: InvoicePayment): SchemeNetworkClient {
  return {
    scheme: PAID_BY_TRANSACTION,
    createPaymentPayload: async (x402Version, requirements) => {
      if (requirements.network !== RAIL_CHAINS[proof.rail])
        throw new PaymentChainError(requirements.network, RAIL_CHAINS[proof.rail])
      const declaration = declarePaymentIdentifierExtension(true)
      return {
        x402Version,
        payload: {
          invoice: wireInvoice(invoice),
          transaction: proof.transactionId,
          payer: proof.payer,
          signature: proof.signature,
        },
        extensions: {
          [PAYMENT_IDENTIFIER]: { ...declaration, info: { ...declaration.info, id: proof.paymentId } },
        },
      }
    },
  }
}
