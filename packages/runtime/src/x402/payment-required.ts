import type { Rail } from '@oikos/core/economic'
import { isPaymentIdentifierExtension, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier'
import type { CheckedAnswer } from './checked-request.ts'
import { RAIL_CHAINS } from './networks.ts'
import {
  InvoiceTermsError,
  type IssuedInvoice,
  PAID_BY_TRANSACTION,
  readInvoiceTerms,
} from './paid-by-transaction/terms.ts'
import { refusedByRule, X402Refusal } from './refusal.ts'

/** What was asked for, and what may be taken as an answer. */
export type OfferQuestion = {
  readonly origin: string
  readonly method: 'GET' | 'POST'
  readonly resource: string
  /** The rail on which the payer can pay. */
  readonly rail: Rail
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/** The longest header that is decoded, characters. */
const MAX_HEADER_LENGTH = 24_576
/** Entries that one answer may have. */
const MAX_ENTRIES = 32
/** The longest that an invoice may be valid from now on, milliseconds: one day. */
const MAX_LIFETIME_MS = 86_400_000
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The value of the one `PAYMENT-REQUIRED` header of a 402 answer. Throws {@link X402Refusal}. */
export function paymentRequiredHeader(answer: CheckedAnswer): string {
  // Any other status may mean that the request was carried out.
  if (answer.status !== 402)
    throw new X402Refusal('not_payment_required', 'failed_uncertain', `status ${answer.status}, expected 402`)
  const values = answer.headers.get('payment-required') ?? []
  const [header] = values
  if (header === undefined || values.length > 1)
    throw refusedByRule('header_missing', `${values.length} PAYMENT-REQUIRED headers, expected 1`)
  return header
}

/**
 * Reads the one invoice that a `PAYMENT-REQUIRED` header offers on the wanted rail. The first rule that fails decides.
 * Throws {@link X402Refusal}, always `policy_rejected`.
 */
export function readOffer(header: string, question: OfferQuestion): IssuedInvoice {
  const required = decode(header)
  if (required['x402Version'] !== 2) throw refusedByRule('version', 'expected x402Version 2')
  const url = `${question.origin}${question.resource}`
  const { resource, accepts } = required
  if (!isRecord(resource) || typeof resource['url'] !== 'string') throw malformed('resource.url is no text')
  if (resource['url'] !== url) throw refusedByRule('resource_mismatch', `the offer is not about ${url}`)
  if (!Array.isArray(accepts) || accepts.length === 0 || accepts.length > MAX_ENTRIES)
    throw malformed(`accepts is no list of 1 to ${MAX_ENTRIES} entries`)
  const entry = onlyMatch(accepts, question.rail)
  const invoice = readEntry(entry)
  if (invoice.resource !== url || invoice.method !== question.method)
    throw refusedByRule('resource_mismatch', `the invoice is not for ${question.method} ${url}`)
  if (invoice.expiresAtMs <= question.nowMs)
    throw refusedByRule('expired', `the invoice ended at ${invoice.expiresAtMs}`)
  if (invoice.expiresAtMs - question.nowMs > MAX_LIFETIME_MS)
    throw refusedByRule('expiry_too_far', `the invoice ends at ${invoice.expiresAtMs}`)
  const { extensions } = required
  if (!isRecord(extensions) || !isPaymentIdentifierExtension(extensions[PAYMENT_IDENTIFIER]))
    throw refusedByRule('identifier_missing', 'the extension payment-identifier is not declared')
  return invoice
}

function decode(header: string): Readonly<Record<string, unknown>> {
  if (header.length > MAX_HEADER_LENGTH) throw malformed(`${header.length} characters`)
  const bytes = Buffer.from(header, 'base64')
  // Text that decodes to the same bytes in more than one way is refused.
  if (!BASE64.test(header) || bytes.toString('base64') !== header) throw malformed('not base64')
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw malformed('not JSON')
  }
  if (!isRecord(value)) throw malformed('not an object')
  return value
}

function malformed(detail: string): X402Refusal {
  return refusedByRule('header_malformed', detail)
}

function onlyMatch(entries: readonly unknown[], rail: Rail): Readonly<Record<string, unknown>> {
  const matches = entries.filter(
    (entry) => isRecord(entry) && entry['scheme'] === PAID_BY_TRANSACTION && entry['network'] === RAIL_CHAINS[rail],
  )
  const [match] = matches
  if (!isRecord(match)) throw refusedByRule('no_match', `no ${PAID_BY_TRANSACTION} on ${RAIL_CHAINS[rail]} is offered`)
  if (matches.length > 1) throw refusedByRule('ambiguous', `${matches.length} entries could be meant`)
  return match
}

/** The invoice of an entry, which must say what the entry itself says. */
function readEntry(entry: Readonly<Record<string, unknown>>): IssuedInvoice {
  const extra = isRecord(entry['extra']) ? entry['extra'] : {}
  let invoice: IssuedInvoice
  try {
    invoice = readInvoiceTerms(extra['invoice'])
  } catch (cause) {
    if (!(cause instanceof InvoiceTermsError)) throw cause
    throw refusedByRule(cause.field === 'expiresAtMs' ? 'expiry_missing' : 'terms_malformed', cause.message)
  }
  const agrees =
    entry['network'] === invoice.network &&
    entry['asset'] === invoice.asset &&
    entry['amount'] === invoice.amountAtomic.toString() &&
    entry['payTo'] === invoice.payTo &&
    extra['confirmations'] === invoice.confirmations
  if (!agrees) throw refusedByRule('terms_conflict', 'the entry and its invoice differ')
  return invoice
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
