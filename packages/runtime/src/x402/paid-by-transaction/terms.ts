import { createHash } from 'node:crypto'
import { isRailAddress, type Rail, type RailAddress } from '@oikos/core/economic'
import { type ChainId, nativeAsset, RAIL_CHAINS, railOfChain } from '../networks.ts'

/** Name of the scheme on the wire. Specification: `docs/paid-by-transaction.md`. */
export const PAID_BY_TRANSACTION = 'paid-by-transaction'

/**
 * What a server asks for and until when, as it stands in `extra.invoice` of an entry. The values are JSON strings or
 * integers on the wire. Times in milliseconds since 1970.
 */
export type InvoiceTerms = {
  readonly rail: Rail
  readonly network: ChainId
  readonly asset: string
  /** In the smallest unit of the asset, from 1 to 2^64-1. */
  readonly amountAtomic: bigint
  readonly payTo: RailAddress
  /** Blocks that must have confirmed the payment, the one that holds it included; from 1 to 144. */
  readonly confirmations: number
  readonly method: 'GET' | 'POST'
  /** The whole URL that is paid for. */
  readonly resource: string
  /** 16 to 64 characters of `0-9a-z`; no two invoices of a server have the same. */
  readonly nonce: string
  readonly issuedAtMs: number
  /** A payment must be broadcast before. */
  readonly expiresAtMs: number
  /** A payment must be presented before. */
  readonly redeemUntilMs: number
}

/** Terms with the mark by which the server knows its own: 64 lower-case hexadecimal digits. */
export type IssuedInvoice = InvoiceTerms & { readonly tag: string }

/** Digest of terms: `sha256:` and 64 lower-case hexadecimal digits. It is also a legal identifier of Economic Agent v1. */
export type InvoiceTermsDigest = `sha256:${string}`

/** Terms as they are written in JSON. */
export type WireInvoice = {
  readonly network: string
  readonly asset: string
  readonly amount: string
  readonly payTo: string
  readonly confirmations: number
  readonly method: string
  readonly resource: string
  readonly nonce: string
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  readonly redeemUntilMs: number
  readonly tag: string
}

/** What is wrong with an invoice on the wire. `field` is its name there. */
export class InvoiceTermsError extends Error {
  override readonly name = 'InvoiceTermsError'
  readonly retryable = false
  readonly field: string

  constructor(field: string, expected: string) {
    super(`invoice ${field}: expected ${expected}`)
    this.field = field
  }
}

/** The longest resource, bytes: what common servers take as a request line. */
const MAX_RESOURCE_LENGTH = 2_048
/** Highest number of confirmations that can be asked for. Source: Economic Agent v1, `max_confirmation_target`. */
const MAX_CONFIRMATIONS = 144
const U64_DIGITS = /^[1-9][0-9]{0,19}$/
const U64_MAX = 18_446_744_073_709_551_615n
const NONCE = /^[0-9a-z]{16,64}$/
const TAG = /^[0-9a-f]{64}$/
/** Visible ASCII, so that every implementation writes the same bytes into the digest. */
const VISIBLE = /^[\x21-\x7e]+$/

const WIRE_KEYS = [
  'network',
  'asset',
  'amount',
  'payTo',
  'confirmations',
  'method',
  'resource',
  'nonce',
  'issuedAtMs',
  'expiresAtMs',
  'redeemUntilMs',
  'tag',
] as const satisfies readonly (keyof WireInvoice)[]

/** Reads an invoice from JSON that nobody has checked: exactly its keys, each value legal. Throws {@link InvoiceTermsError}. */
export function readInvoiceTerms(value: unknown): IssuedInvoice {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvoiceTermsError('', 'an object')
  const fields = value as Readonly<Record<string, unknown>>
  // The end comes first: an invoice without one has a name of its own among the refusals.
  for (const key of ['expiresAtMs', ...WIRE_KEYS] as const)
    if (!Object.hasOwn(fields, key)) throw new InvoiceTermsError(key, 'a value')
  if (Object.keys(fields).length !== WIRE_KEYS.length) throw new InvoiceTermsError('', `only ${WIRE_KEYS.join(', ')}`)
  const network = textOf(fields, 'network', VISIBLE)
  const rail = railOfChain(network)
  if (rail === undefined) throw new InvoiceTermsError('network', Object.values(RAIL_CHAINS).join(' or '))
  const asset = textOf(fields, 'asset', VISIBLE)
  if (asset !== nativeAsset(rail)) throw new InvoiceTermsError('asset', nativeAsset(rail))
  const payTo = textOf(fields, 'payTo', VISIBLE)
  if (!isRailAddress(rail, payTo)) throw new InvoiceTermsError('payTo', `an address of ${rail}`)
  const amountAtomic = BigInt(textOf(fields, 'amount', U64_DIGITS))
  if (amountAtomic > U64_MAX) throw new InvoiceTermsError('amount', 'at most 2^64-1')
  const confirmations = integerOf(fields, 'confirmations')
  if (confirmations < 1 || confirmations > MAX_CONFIRMATIONS)
    throw new InvoiceTermsError('confirmations', `1 to ${MAX_CONFIRMATIONS}`)
  const method = textOf(fields, 'method', VISIBLE)
  if (method !== 'GET' && method !== 'POST') throw new InvoiceTermsError('method', 'GET or POST')
  const resource = textOf(fields, 'resource', VISIBLE)
  if (resource.length > MAX_RESOURCE_LENGTH)
    throw new InvoiceTermsError('resource', `at most ${MAX_RESOURCE_LENGTH} characters`)
  const issuedAtMs = integerOf(fields, 'issuedAtMs')
  const expiresAtMs = integerOf(fields, 'expiresAtMs')
  const redeemUntilMs = integerOf(fields, 'redeemUntilMs')
  if (issuedAtMs >= expiresAtMs) throw new InvoiceTermsError('expiresAtMs', 'later than issuedAtMs')
  if (expiresAtMs > redeemUntilMs) throw new InvoiceTermsError('redeemUntilMs', 'not earlier than expiresAtMs')
  return {
    rail,
    network: RAIL_CHAINS[rail],
    asset,
    amountAtomic,
    payTo,
    confirmations,
    method,
    resource,
    nonce: textOf(fields, 'nonce', NONCE),
    issuedAtMs,
    expiresAtMs,
    redeemUntilMs,
    tag: textOf(fields, 'tag', TAG),
  }
}

function textOf(fields: Readonly<Record<string, unknown>>, key: string, form: RegExp): string {
  const value = fields[key]
  if (typeof value === 'string' && form.test(value)) return value
  throw new InvoiceTermsError(key, `text of the form ${form.source}`)
}

function integerOf(fields: Readonly<Record<string, unknown>>, key: string): number {
  const value = fields[key]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new InvoiceTermsError(key, 'a whole number from 0 to 2^53-1')
}

/** An invoice as it is written in JSON. */
export function wireInvoice(invoice: IssuedInvoice): WireInvoice {
  const { rail: _rail, amountAtomic, tag, ...terms } = invoice
  return {
    network: terms.network,
    asset: terms.asset,
    amount: amountAtomic.toString(),
    payTo: terms.payTo,
    confirmations: terms.confirmations,
    method: terms.method,
    resource: terms.resource,
    nonce: terms.nonce,
    issuedAtMs: terms.issuedAtMs,
    expiresAtMs: terms.expiresAtMs,
    redeemUntilMs: terms.redeemUntilMs,
    tag,
  }
}

/**
 * Digest of terms: SHA-256 over the lines `x402 paid-by-transaction invoice v1`, network, asset, amount, payTo,
 * confirmations, method, resource, nonce, issuedAtMs, expiresAtMs, redeemUntilMs, each ended by LF. No value holds an LF.
 */
export function invoiceTermsDigest(terms: InvoiceTerms): InvoiceTermsDigest {
  const lines = [
    'x402 paid-by-transaction invoice v1',
    terms.network,
    terms.asset,
    terms.amountAtomic,
    terms.payTo,
    terms.confirmations,
    terms.method,
    terms.resource,
    terms.nonce,
    terms.issuedAtMs,
    terms.expiresAtMs,
    terms.redeemUntilMs,
  ]
  const hash = createHash('sha256')
  for (const line of lines) hash.update(`${line}\n`, 'utf8')
  return `sha256:${hash.digest('hex')}`
}
