import type { Rail } from '@oikos/core/economic'
import { RAIL_CHAINS } from '../networks.ts'
import { verifyWalletMessage } from '../wallet-message.ts'
import type { InvoiceTermsDigest } from './terms.ts'

/** What a payer binds together: this transaction pays that invoice, under an identifier of the payer. */
export type PaymentBinding = {
  readonly rail: Rail
  readonly transactionId: string
  readonly invoice: InvoiceTermsDigest
  /** 16 to 128 letters, digits, `-` and `_`. */
  readonly paymentId: string
}

/** A binding with the wallet that signed it. */
export type PaymentProof = PaymentBinding & {
  /** Address of the wallet that sent the transaction. */
  readonly payer: string
  /** As `verifyWalletMessage` takes it. */
  readonly signature: string
}

/**
 * The text that the paying wallet signs, five lines without a final LF. It is made for people, too: a wallet shows it. All
 * values are visible ASCII. Specification: `docs/paid-by-transaction.md`.
 */
export function paymentProofText({ rail, transactionId, invoice, paymentId }: PaymentBinding): string {
  return [
    'x402 paid-by-transaction v1',
    `network: ${RAIL_CHAINS[rail]}`,
    `transaction: ${transactionId}`,
    `invoice: ${invoice}`,
    `payment: ${paymentId}`,
  ].join('\n')
}

/** Whether the signature of a proof is the payer's. Whether the payer sent the transaction is a question to the chain. */
export function verifyPaymentProof(proof: PaymentProof): Promise<boolean> {
  return verifyWalletMessage(proof.rail, proof.payer, paymentProofText(proof), proof.signature)
}
