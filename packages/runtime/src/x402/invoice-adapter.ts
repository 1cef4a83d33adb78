import type { X402InvoiceAdapter } from '../economic/host.ts'
import type { IssuedInvoice } from './paid-by-transaction/terms.ts'
import { readOffer } from './payment-required.ts'
import { askForHeader, type QuoteOptions, type X402Quote } from './quote.ts'
import { refusedByRule, X402Refusal, type X402RefusalListener } from './refusal.ts'

/** What an invoice adapter is made from. */
export type X402InvoiceAdapterOptions = QuoteOptions & {
  /** The quote whose invoice the intent names. */
  readonly quote: X402Quote
  readonly onRefusal?: X402RefusalListener
}

/**
 * The invoice adapter of one payment. It asks the server again and gives the quoted invoice only while the server still
 * asks for the same: a server puts another nonce into every answer, so that the invoice of the intent can only be the one
 * that was quoted. It refuses every other address than the quoted one.
 */
export function createX402InvoiceAdapter(options: X402InvoiceAdapterOptions): X402InvoiceAdapter {
  const { quote, clockMs, onRefusal } = options
  return {
    fetchInvoice: async (origin, method, resource, sink) => {
      try {
        const { request, terms, invoice } = quote
        if (origin !== request.origin || method !== request.method || resource !== request.resource)
          throw refusedByRule('address_refused', `${method} ${origin}${resource} was not quoted`)
        if (clockMs() >= terms.expiresAtMs) throw refusedByRule('expired', `the invoice ended at ${terms.expiresAtMs}`)
        const header = await askForHeader(request, options)
        const current = readOffer(header, { ...request, nowMs: clockMs() })
        if (!isSameDemand(current, terms))
          throw refusedByRule('terms_changed', 'the server asks for something else now')
        sink.push(invoice.bytes)
        return 'succeeded'
      } catch (cause) {
        if (!(cause instanceof X402Refusal)) throw cause
        onRefusal?.(cause)
        return cause.disposition
      }
    },
  }
}

/** Whether two invoices ask for the same; nonce, times and mark differ from one answer to the next. */
function isSameDemand(left: IssuedInvoice, right: IssuedInvoice): boolean {
  return (
    left.network === right.network &&
    left.asset === right.asset &&
    left.amountAtomic === right.amountAtomic &&
    left.payTo === right.payTo &&
    left.confirmations === right.confirmations
  )
}
