import type { AdmittedIntent } from '../admission.ts'
import { checkIdentifierLength } from '../admission.ts'
import type { Meter } from '../canonical.ts'
import { parseCanonical, precheck, quotedBytes, refuseAs, requireRerender } from '../canonical.ts'
import type { Rail } from '../catalog.ts'
import { documentSchema, isRail } from '../catalog.ts'
import { transactionMismatch } from '../diagnostics.ts'
import { documentDigest } from '../digest.ts'
import type { Sealed } from '../sealed.ts'
import { sealText } from '../sealed.ts'
import { anyText, oneOf, record, u64 } from '../shape.ts'
import { railShape } from './policy.ts'

/** What an x402 server asks for. Its texts are free; the intent fixes each of them. Source: notes, sections 3 and 6. */
export type X402Invoice = {
  readonly schema: 'semaprax.economic-agent-x402-invoice.v1'
  readonly origin: string
  readonly method: string
  readonly resource: string
  readonly invoice_id: string
  readonly payee: string
  readonly settlement_rail: Rail
  readonly network: string
  readonly asset: string
  readonly amount_atomic: bigint
  readonly max_fee_atomic: bigint
  readonly expires_at_ms: bigint
  readonly nonce: string
  readonly idempotency_key: string
}

/** Canonical form of an invoice. */
export const invoiceShape = record<X402Invoice>({
  schema: oneOf(documentSchema('invoice')),
  origin: anyText,
  method: anyText,
  resource: anyText,
  invoice_id: anyText,
  payee: anyText,
  settlement_rail: railShape,
  network: anyText,
  asset: anyText,
  amount_atomic: u64,
  max_fee_atomic: u64,
  expires_at_ms: u64,
  nonce: anyText,
  idempotency_key: anyText,
})

const refuse = refuseAs('invoice')

/**
 * Reads an invoice and compares it with the intent that names its digest. Throws SPX-G216, SPX-G217, SPX-G210, SPX-G213
 * and again SPX-G216 in the order of the notes, section 6.
 */
export function parseInvoice(
  bytes: Uint8Array,
  admitted: AdmittedIntent,
  meter?: Meter,
): Sealed<'invoice', X402Invoice> {
  const { limits } = admitted.policy.document
  precheck('invoice', bytes, limits, meter)
  const { object, text } = parseCanonical('invoice', bytes)
  const invoice = readInvoice(object)
  meter?.charge(
    quotedBytes(
      invoice.origin,
      invoice.method,
      invoice.resource,
      invoice.invoice_id,
      invoice.payee,
      invoice.settlement_rail,
      invoice.network,
      invoice.asset,
      invoice.nonce,
      invoice.idempotency_key,
    ),
  )
  requireRerender('invoice', invoiceShape, invoice, text)
  checkInvoice(invoice, bytes, admitted)
  for (const identifier of [invoice.invoice_id, invoice.nonce, invoice.idempotency_key])
    checkIdentifierLength(identifier, limits)
  return sealText('invoice', invoice, text, bytes)
}

function readInvoice(object: Parameters<typeof invoiceShape.readKeys>[0]): X402Invoice {
  const fields = invoiceShape.readKeys(object, refuse, 'invoice')
  const rail = anyText.read(fields.settlement_rail, refuse, 'settlement_rail')
  if (!isRail(rail)) throw transactionMismatch(`settlement_rail: got ${rail}`)
  return invoiceShape.read(object, refuse, 'invoice')
}

function checkInvoice(invoice: X402Invoice, bytes: Uint8Array, admitted: AdmittedIntent): void {
  const { x402, intent } = admitted
  const agrees =
    x402 !== null &&
    documentDigest('invoice', bytes) === x402.invoice_digest &&
    invoice.origin === x402.origin &&
    invoice.method === x402.method &&
    invoice.resource === x402.resource &&
    invoice.payee === x402.payee &&
    invoice.settlement_rail === x402.settlement_rail &&
    invoice.network === x402.network &&
    invoice.asset === x402.asset &&
    invoice.amount_atomic === x402.amount_atomic &&
    invoice.max_fee_atomic === x402.max_fee_atomic &&
    invoice.expires_at_ms === x402.invoice_expires_at_ms &&
    invoice.nonce === x402.invoice_nonce &&
    invoice.idempotency_key === intent.document.idempotency_key
  if (!agrees) throw transactionMismatch('the invoice is not the one that the intent names')
}
