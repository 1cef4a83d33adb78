import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Rail, RailAddress } from '@oikos/core/economic'
import { nativeAsset, RAIL_CHAINS } from '../networks.ts'
import { type InvoiceTerms, type IssuedInvoice, invoiceTermsDigest } from './terms.ts'

/** What a seller asks for one resource. */
export type InvoiceRequest = {
  readonly rail: Rail
  readonly amountAtomic: bigint
  readonly payTo: RailAddress
  readonly confirmations: number
  readonly method: 'GET' | 'POST'
  readonly resource: string
  /** How long a payment may still be broadcast, seconds. */
  readonly lifetimeSec: number
}

/** What an issuer is made from. */
export type InvoiceIssuerOptions = {
  /** The key that invoices are marked with, then older ones that are still recognised; at least 32 bytes each. */
  readonly secrets: readonly [Uint8Array, ...Uint8Array[]]
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
  /** A fresh nonce: 16 to 64 characters of `0-9a-z`. */
  readonly createNonce: () => string
  /** How long after its end a paid invoice may be presented, milliseconds. Default one day. */
  readonly redeemGraceMs?: number
}

/** Makes invoices and knows them again, without keeping any. */
export type InvoiceIssuer = {
  readonly issue: (request: InvoiceRequest) => IssuedInvoice
  /** Whether this issuer, or one with the same secret, made the invoice exactly as it is. */
  readonly isOwn: (invoice: IssuedInvoice) => boolean
}

/** A secret that cannot protect anything. Not retryable. */
export class IssuerSecretError extends Error {
  override readonly name = 'IssuerSecretError'
  readonly retryable = false

  constructor(lengthBytes: number) {
    super(`invoice issuer: got a secret of ${lengthBytes} bytes, expected at least ${MIN_SECRET_BYTES} random ones`)
  }
}

const MIN_SECRET_BYTES = 32
const DAY_MS = 86_400_000

/** An issuer whose mark is HMAC-SHA-256 over the digest of the terms. Throws {@link IssuerSecretError}. */
export function createInvoiceIssuer(options: InvoiceIssuerOptions): InvoiceIssuer {
  const { secrets, clockMs, createNonce, redeemGraceMs = DAY_MS } = options
  const short = secrets.find((secret) => secret.length < MIN_SECRET_BYTES)
  if (short !== undefined) throw new IssuerSecretError(short.length)
  const tagOf = (secret: Uint8Array, terms: InvoiceTerms): Buffer =>
    createHmac('sha256', secret).update(invoiceTermsDigest(terms), 'utf8').digest()
  return {
    issue: ({ lifetimeSec, ...request }) => {
      const issuedAtMs = clockMs()
      const expiresAtMs = issuedAtMs + lifetimeSec * 1000
      const terms: InvoiceTerms = {
        ...request,
        network: RAIL_CHAINS[request.rail],
        asset: nativeAsset(request.rail),
        nonce: createNonce(),
        issuedAtMs,
        expiresAtMs,
        redeemUntilMs: expiresAtMs + redeemGraceMs,
      }
      return { ...terms, tag: tagOf(secrets[0], terms).toString('hex') }
    },
    isOwn: ({ tag, ...terms }) => {
      const got = Buffer.from(tag, 'hex')
      return secrets.some((secret) => {
        const expected = tagOf(secret, terms)
        return got.length === expected.length && timingSafeEqual(got, expected)
      })
    },
  }
}
