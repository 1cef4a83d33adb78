import {
  documentSchema,
  invoiceShape,
  isIdentifier,
  isRail,
  isX402Origin,
  isX402Resource,
  RAIL_NETWORKS,
  type Rail,
  type Sealed,
  seal,
  U64_MAX,
  type X402Invoice,
} from '@oikos/core/economic'
import { type CheckedHttpOptions, requestChecked } from './checked-request.ts'
import { type IssuedInvoice, invoiceTermsDigest } from './paid-by-transaction/terms.ts'
import { paymentRequiredHeader, readOffer } from './payment-required.ts'
import { refusedByRule } from './refusal.ts'

/** What the payer wants to buy, and how it will pay. */
export type QuoteRequest = {
  readonly origin: string
  readonly method: 'GET' | 'POST'
  readonly resource: string
  /** The rail on which the payer can pay. */
  readonly rail: Rail
  /** The key under which the payment will be made. */
  readonly idempotencyKey: string
  /** The most that the transfer itself may cost, in the smallest unit of the rail's asset. */
  readonly maxFeeAtomic: bigint
}

/** An offer of a server as the payer took it. */
export type X402Quote = {
  readonly request: QuoteRequest
  /** The header that the server sent. */
  readonly header: string
  /** When it was read, milliseconds since 1970. */
  readonly quotedAtMs: number
  readonly terms: IssuedInvoice
  /** The canonical document, whose digest an intent names. */
  readonly invoice: Sealed<'invoice', X402Invoice>
}

/** How quotes are obtained. */
export type QuoteOptions = CheckedHttpOptions & {
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
}

/** Headers of a request for which nothing is paid yet. */
const UNPAID_HEADERS = { 'content-type': 'application/json' } as const

/**
 * Asks a server what a resource costs and turns the one acceptable entry into the canonical invoice, before there is an
 * intent. The document's `invoice_id` is the digest of the server's terms. Throws {@link X402Refusal}.
 */
export async function quoteResource(request: QuoteRequest, options: QuoteOptions): Promise<X402Quote> {
  assertRequest(request)
  return quoteOf(request, await askForHeader(request, options), options.clockMs())
}

/** The header with which a server asks to be paid for a resource now. Throws {@link X402Refusal}. */
export async function askForHeader(
  { origin, method, resource }: Pick<QuoteRequest, 'origin' | 'method' | 'resource'>,
  options: CheckedHttpOptions,
): Promise<string> {
  const headers = method === 'POST' ? UNPAID_HEADERS : {}
  return paymentRequiredHeader(await requestChecked({ origin, method, resource, headers }, options))
}

function assertRequest({ origin, resource, idempotencyKey, maxFeeAtomic }: QuoteRequest): void {
  const legal =
    isX402Origin(origin) &&
    isX402Resource(resource) &&
    isIdentifier(idempotencyKey) &&
    maxFeeAtomic >= 0n &&
    maxFeeAtomic <= U64_MAX
  if (!legal) throw refusedByRule('address_refused', `${origin}${resource} under ${idempotencyKey} cannot be quoted`)
}

function quoteOf(request: QuoteRequest, header: string, quotedAtMs: number): X402Quote {
  const terms = readOffer(header, { ...request, nowMs: quotedAtMs })
  const { network, asset } = RAIL_NETWORKS[request.rail]
  const invoice = seal('invoice', invoiceShape, {
    schema: documentSchema('invoice'),
    origin: request.origin,
    method: request.method,
    resource: request.resource,
    invoice_id: invoiceTermsDigest(terms),
    payee: terms.payTo,
    settlement_rail: request.rail,
    network,
    asset,
    amount_atomic: terms.amountAtomic,
    max_fee_atomic: request.maxFeeAtomic,
    expires_at_ms: BigInt(terms.expiresAtMs),
    nonce: terms.nonce,
    idempotency_key: request.idempotencyKey,
  })
  return { request, header, quotedAtMs, terms, invoice }
}

/** Marks the text of a quote. */
const QUOTE_SCHEMA = 'oikos.x402-quote.v1'

/** A quote as text, to be kept beside the intent until the payment has been presented. */
export function packQuote({ request, header, quotedAtMs }: X402Quote): string {
  const { maxFeeAtomic, ...fields } = request
  return `${JSON.stringify({ schema: QUOTE_SCHEMA, ...fields, maxFeeAtomic: maxFeeAtomic.toString(), quotedAtMs, header })}\n`
}

/** A kept quote that cannot be read again. Not retryable. */
export class QuoteTextError extends Error {
  override readonly name = 'QuoteTextError'
  readonly retryable = false

  constructor() {
    super(`x402 quote: the text is not of the form ${QUOTE_SCHEMA}; ask the server again`)
  }
}

/** Reads the text of a quote and checks it as if it had just come. Throws {@link QuoteTextError} or {@link X402Refusal}. */
export function unpackQuote(text: string): X402Quote {
  const fields = parseRecord(text)
  const { schema, origin, method, resource, rail, idempotencyKey, maxFeeAtomic, quotedAtMs, header } = fields
  if (schema !== QUOTE_SCHEMA || typeof origin !== 'string' || typeof resource !== 'string') throw new QuoteTextError()
  if (method !== 'GET' && method !== 'POST') throw new QuoteTextError()
  if (typeof rail !== 'string' || !isRail(rail) || typeof idempotencyKey !== 'string') throw new QuoteTextError()
  if (typeof maxFeeAtomic !== 'string' || !/^[0-9]{1,20}$/.test(maxFeeAtomic)) throw new QuoteTextError()
  if (typeof quotedAtMs !== 'number' || typeof header !== 'string') throw new QuoteTextError()
  const request: QuoteRequest = { origin, method, resource, rail, idempotencyKey, maxFeeAtomic: BigInt(maxFeeAtomic) }
  assertRequest(request)
  return quoteOf(request, header, quotedAtMs)
}

function parseRecord(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    throw new QuoteTextError()
  }
}
