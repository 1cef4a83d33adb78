import { isTransactionId, type Rail } from '@oikos/core/economic'
import type {
  Network,
  PaymentPayload,
  PaymentRequirements,
  SchemeNetworkFacilitator,
  SettleResponse,
  VerifyResponse,
} from '@x402/core/types'
import { extractPaymentIdentifier } from '@x402/extensions/payment-identifier'
import { RAIL_CHAINS } from '../networks.ts'
import type { InvoiceIssuer } from './issuer.ts'
import type { ObservedTransfer, TransferLookup, TransferSighting } from './lookup.ts'
import { type PaymentProof, verifyPaymentProof } from './proof.ts'
import type { ClaimVerdict, Redemption, RedemptionStore } from './redemptions.ts'
import {
  InvoiceTermsError,
  type IssuedInvoice,
  invoiceTermsDigest,
  PAID_BY_TRANSACTION,
  readInvoiceTerms,
} from './terms.ts'

/** Why a payment is not accepted, in the order in which it is checked. Source: `docs/paid-by-transaction.md`. */
export type PaymentRefusalCode =
  | 'invalid_payload'
  | 'network_mismatch'
  | 'invoice_not_issued'
  | 'resource_mismatch'
  | 'invoice_expired'
  | 'payment_identifier_missing'
  | 'proof_invalid'
  | 'transaction_already_used'
  | 'payment_identifier_conflict'
  | 'invoice_already_paid'
  | 'chain_unavailable'
  | 'transaction_not_found'
  | 'transaction_pending'
  | 'transaction_failed'
  | 'transaction_not_a_transfer'
  | 'payer_mismatch'
  | 'recipient_mismatch'
  | 'amount_mismatch'
  | 'transaction_too_old'
  | 'too_few_confirmations'
  | 'store_unavailable'

/** Refusals that the same payment may outlive: it should be presented again, later. */
const RETRYABLE: ReadonlySet<string> = new Set<PaymentRefusalCode>([
  'chain_unavailable',
  'transaction_not_found',
  'transaction_pending',
  'too_few_confirmations',
  'store_unavailable',
])

/** Whether a payment that was refused for a reason may be accepted later as it is. Unknown reasons may not. */
export function isRetryableRefusal(reason: string): boolean {
  return RETRYABLE.has(reason)
}

/**
 * How far a block's time may lie before the invoice, milliseconds: what its chain lets clocks differ. Bitcoin lets a block
 * be two hours ahead or behind; Ethereum and Solana keep to seconds.
 */
const CLOCK_TOLERANCE_MS: Readonly<Record<Rail, number>> = { evm: 60_000, solana: 120_000, bitcoin: 7_200_000 }

/** What payments are checked with. */
export type PaymentCheckOptions = {
  readonly issuer: InvoiceIssuer
  /** The chains that payments may come from. */
  readonly chains: Readonly<Partial<Record<Rail, TransferLookup>>>
  readonly redemptions: RedemptionStore
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
  /** Hears why a chain or the store did not answer; the payer only learns that it did not. */
  readonly onFailure?: (cause: unknown) => void
}

type Checked = { readonly ok: true; readonly redemption: Redemption } | Refused
type Refused = { readonly ok: false; readonly code: PaymentRefusalCode; readonly payer?: string }

/**
 * The facilitator of `paid-by-transaction` on one rail, for `x402Facilitator` of `@x402/core`. `verify` changes nothing;
 * `settle` accepts a payment, once: the same payment for the same invoice under the same identifier is accepted again
 * without counting twice, everything else that shares its transaction, invoice or identifier is refused. No money is moved.
 */
export function createPaidByTransactionFacilitator(rail: Rail, options: PaymentCheckOptions): SchemeNetworkFacilitator {
  return {
    scheme: PAID_BY_TRANSACTION,
    caipFamily: `${RAIL_CHAINS[rail].split(':')[0]}:*`,
    getExtra: () => undefined,
    getSigners: () => [],
    verify: async (payload, requirements): Promise<VerifyResponse> => {
      const checked = await check(payload, requirements, options)
      if (checked.ok) return { isValid: true, payer: checked.redemption.payer }
      return { isValid: false, invalidReason: checked.code, ...payerOf(checked) }
    },
    settle: async (payload, requirements): Promise<SettleResponse> => {
      const { network } = requirements
      const checked = await check(payload, requirements, options)
      if (!checked.ok) return failure(network, checked)
      const { redemption } = checked
      const verdict = await attempt(() => options.redemptions.claim(redemption), options)
      if (verdict === undefined) return failure(network, { ok: false, code: 'store_unavailable' })
      const code = CLAIM_CODES[verdict]
      if (code !== undefined) return failure(network, { ok: false, code, payer: redemption.payer })
      return { success: true, transaction: redemption.transactionId, network, payer: redemption.payer }
    },
  }
}

const CLAIM_CODES: Readonly<Record<ClaimVerdict, PaymentRefusalCode | undefined>> = {
  new: undefined,
  same: undefined,
  transaction_used: 'transaction_already_used',
  identifier_used: 'payment_identifier_conflict',
  invoice_used: 'invoice_already_paid',
}

function failure(network: Network, refused: Refused): SettleResponse {
  return { success: false, errorReason: refused.code, transaction: '', network, ...payerOf(refused) }
}

function payerOf({ payer }: Refused): { payer?: string } {
  return payer === undefined ? {} : { payer }
}

/** Everything but the claim, cheap checks first: nothing is asked of a chain before the payer's signature holds. */
async function check(
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  options: PaymentCheckOptions,
): Promise<Checked> {
  const presented = readPresented(payload)
  if (presented === undefined) return refused('invalid_payload')
  const { invoice, proof } = presented
  const isOurs = payload.accepted.scheme === PAID_BY_TRANSACTION && requirements.scheme === PAID_BY_TRANSACTION
  if (!isOurs || requirements.network !== invoice.network || payload.accepted.network !== invoice.network)
    return refused('network_mismatch')
  if (!options.issuer.isOwn(invoice)) return refused('invoice_not_issued')
  if (!isForRequest(invoice, requirements)) return refused('resource_mismatch')
  const nowMs = options.clockMs()
  if (nowMs >= invoice.redeemUntilMs) return refused('invoice_expired')
  const paymentId = extractPaymentIdentifier(payload)
  if (paymentId === null) return refused('payment_identifier_missing')
  const signed: PaymentProof = { ...proof, rail: invoice.rail, invoice: invoiceTermsDigest(invoice), paymentId }
  if (!(await verifyPaymentProof(signed))) return refused('proof_invalid')
  const { signature: _signature, ...binding } = signed
  const redemption: Redemption = { ...binding, redeemedAtMs: nowMs }
  const known = await attempt(() => options.redemptions.look(redemption), options)
  if (known === undefined) return refused('store_unavailable')
  if (known === 'same') return { ok: true, redemption }
  const taken = CLAIM_CODES[known]
  if (taken !== undefined) return refused(taken, proof.payer)
  const lookup = options.chains[invoice.rail]
  const sighting = lookup && (await attempt(() => lookup(proof.transactionId, invoice.payTo), options))
  const code = sighting === undefined ? 'chain_unavailable' : judgeSighting(sighting, invoice, proof.payer)
  return code === undefined ? { ok: true, redemption } : refused(code, proof.payer)
}

function refused(code: PaymentRefusalCode, payer?: string): Refused {
  return payer === undefined ? { ok: false, code } : { ok: false, code, payer }
}

async function attempt<T>(ask: () => Promise<T>, options: PaymentCheckOptions): Promise<T | undefined> {
  try {
    return await ask()
  } catch (cause) {
    options.onFailure?.(cause)
    return undefined
  }
}

type Presented = {
  readonly invoice: IssuedInvoice
  readonly proof: Pick<PaymentProof, 'transactionId' | 'payer' | 'signature'>
}

/** The longest signature of a rail, characters: a BIP 322 witness in base64. */
const MAX_SIGNATURE_LENGTH = 200
/** A base58 public key; the addresses of the other rails are shorter. */
const MAX_PAYER_LENGTH = 64

/** What the payer's package sent: nobody has checked its form. */
function readPresented(payload: PaymentPayload): Presented | undefined {
  const sent: unknown = payload
  if (!isRecord(sent) || !isRecord(sent['payload']) || !isRecord(sent['accepted'])) return undefined
  const { invoice: invoiceValue, transaction, payer, signature } = sent['payload']
  if (typeof transaction !== 'string' || typeof payer !== 'string' || typeof signature !== 'string') return undefined
  if (payer.length > MAX_PAYER_LENGTH || signature.length > MAX_SIGNATURE_LENGTH) return undefined
  const invoice = readInvoice(invoiceValue)
  if (invoice === undefined || !isTransactionId(invoice.rail, transaction)) return undefined
  return { invoice, proof: { transactionId: transaction, payer, signature } }
}

function readInvoice(value: unknown): IssuedInvoice | undefined {
  try {
    return readInvoiceTerms(value)
  } catch (cause) {
    if (cause instanceof InvoiceTermsError) return undefined
    throw cause
  }
}

/** The server's own entry carries an invoice that it just made for this very request: both must name the same resource. */
function isForRequest(invoice: IssuedInvoice, requirements: PaymentRequirements): boolean {
  const current = readInvoice(requirements.extra['invoice'])
  return current !== undefined && current.resource === invoice.resource && current.method === invoice.method
}

function judgeSighting(
  sighting: TransferSighting,
  invoice: IssuedInvoice,
  payer: string,
): PaymentRefusalCode | undefined {
  switch (sighting.status) {
    case 'unknown':
      return 'transaction_not_found'
    case 'pending':
      return 'transaction_pending'
    case 'failed':
      return 'transaction_failed'
    case 'other':
      return 'transaction_not_a_transfer'
    case 'transferred':
      return judgeTransfer(sighting.transfer, invoice, payer)
    default:
      return sighting satisfies never
  }
}

function judgeTransfer(
  transfer: ObservedTransfer,
  invoice: IssuedInvoice,
  payer: string,
): PaymentRefusalCode | undefined {
  if (transfer.payer !== payer) return 'payer_mismatch'
  if (transfer.recipient !== invoice.payTo) return 'recipient_mismatch'
  if (transfer.amountAtomic !== invoice.amountAtomic) return 'amount_mismatch'
  if (transfer.blockTimeMs < invoice.issuedAtMs - CLOCK_TOLERANCE_MS[invoice.rail]) return 'transaction_too_old'
  return transfer.confirmations < invoice.confirmations ? 'too_few_confirmations' : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
