import type { OfferQuestion } from '../src/x402/payment-required.ts'

/** What the payer of these tests asks. */
export const question: OfferQuestion = {
  origin: 'https://market.example.org',
  method: 'GET',
  resource: '/data',
  rail: 'evm',
  nowMs: 1_900_000_000_000,
}

const payTo = `0x${'11'.repeat(20)}`

/** A demand for payment that is good in every way. */
export const offer = {
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'https://market.example.org/data', description: '', mimeType: '' },
  accepts: [
    {
      scheme: 'paid-by-transaction',
      network: 'eip155:11155111',
      amount: '1000',
      asset: 'native:eth',
      payTo,
      maxTimeoutSeconds: 60,
      extra: {
        confirmations: 1,
        paymentFlow: 'upfront',
        invoice: {
          network: 'eip155:11155111',
          asset: 'native:eth',
          amount: '1000',
          payTo,
          confirmations: 1,
          method: 'GET',
          resource: 'https://market.example.org/data',
          nonce: '0123456789abcdef0123456789abcdef',
          issuedAtMs: question.nowMs,
          expiresAtMs: question.nowMs + 60_000,
          redeemUntilMs: question.nowMs + 86_460_000,
          tag: 'ab'.repeat(32),
        },
      },
    },
  ],
  extensions: { 'payment-identifier': { info: { required: true }, schema: {} } },
} as const

/** The header of a demand, whatever it says. */
export function offerHeader(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}
