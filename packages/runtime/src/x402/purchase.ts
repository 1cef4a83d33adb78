import {
  concatBytes,
  EconomicError,
  isTerminal,
  type PaymentIntent,
  parseIntent,
  readJournal,
  type Sealed,
  utf8,
} from '@oikos/core/economic'
import type { Vault } from '../custody/vault.ts'
import { createEconomicAgent } from '../economic/agent.ts'
import type { EconomicOutcome, EconomicRun } from '../economic/finish.ts'
import type { Cancellation, EconomicAgentHost, X402InvoiceAdapter } from '../economic/host.ts'
import { rehearsalRunOf } from '../rehearsal/index.ts'
import { intentOfQuote } from './intent.ts'
import { createX402InvoiceAdapter } from './invoice-adapter.ts'
import type { KeptPurchase, PurchaseStore } from './purchase-store.ts'
import { packQuote, type QuoteOptions, type QuoteRequest, quoteResource, unpackQuote, type X402Quote } from './quote.ts'
import { redeemPayment } from './redeem.ts'
import type { X402RefusalListener } from './refusal.ts'

/** What is to be bought, under which key, by which wallet, and what for. */
export type PurchaseOrder = QuoteRequest & {
  readonly walletId: string
  /** At most 1,024 bytes; an approver sees it. */
  readonly memo: string | null
}

/** Who buys: a policy, everything that a payment reaches, and the memory of what was begun. */
export type ResourceBuyer = {
  /** Canonical text of the policy. */
  readonly policy: string
  /** The host of the engine around the invoice adapter of one purchase. */
  readonly hostFor: (invoice: X402InvoiceAdapter) => EconomicAgentHost
  readonly vault: Pick<Vault, 'prove'>
  readonly purchases: PurchaseStore
  readonly http: QuoteOptions
  readonly cancellation?: Cancellation
  /** Hears what is proposed, before the policy is asked. */
  readonly onProposal?: (proposal: PurchaseProposal) => void
  readonly onRefusal?: X402RefusalListener
}

/** An offer of a server, and the intent that would pay it. */
export type PurchaseProposal = { readonly quote: X402Quote; readonly intent: Sealed<'intent', PaymentIntent> }

/** How a purchase stands. */
export type Purchase =
  /** Paid and handed out. */
  | (PaidPurchase & { readonly status: 'bought'; readonly contentType: string; readonly body: Uint8Array })
  /** Paid and not handed out: ask again under the same key. */
  | (PaidPurchase & { readonly status: 'undelivered'; readonly reason: string; readonly retryable: boolean })
  /**
   * Not paid, or not known to be: `outcome` says why. While it `isOpen`, its transaction may be on its way or may still be sent:
   * ask again under the same key, and buy under no other. When it is not, it never will be paid under this key.
   */
  | (PurchaseProposal & { readonly status: 'unpaid'; readonly outcome: EconomicOutcome; readonly isOpen: boolean })

/** What is known of a purchase that is paid. */
type PaidPurchase = PurchaseProposal & {
  readonly transactionId: string
  /** The run that saw the payment confirmed, with its Evidence. */
  readonly run: EconomicRun
}

/** A key that stands for another purchase. Not retryable: take a new key. */
export class PurchaseConflictError extends Error {
  override readonly name = 'PurchaseConflictError'
  readonly retryable = false

  constructor(key: string) {
    super(`x402 purchase: the key ${key} stands for another purchase; take a new key for a new one`)
  }
}

/**
 * Buys a resource from an x402 server: asks what it costs, proposes the payment to the engine, and presents it once it is
 * confirmed. Quote and intent are kept before anything is done with them, so that a process which was killed anywhere is
 * continued by calling this again with the same order: it then looks, and pays at most once. Throws
 * {@link PurchaseConflictError}, X402Refusal when there is no offer that can be paid, DurableStoreError.
 */
export async function buyResource(buyer: ResourceBuyer, order: PurchaseOrder): Promise<Purchase> {
  const { idempotencyKey, walletId } = order
  const kept = (await buyer.purchases.find(idempotencyKey)) ?? (await begin(buyer, order))
  const proposal = readProposal(kept)
  if (!isFor(proposal, order)) throw new PurchaseConflictError(idempotencyKey)
  const { quote } = proposal
  buyer.onProposal?.(proposal)
  const { http, hostFor, policy, onRefusal, cancellation = { aborted: false } } = buyer
  const listener = onRefusal === undefined ? {} : { onRefusal }
  const host = hostFor(createX402InvoiceAdapter({ ...http, ...listener, quote }))
  const outcome = await createEconomicAgent(policy, host, cancellation).execute(rehearsalRunOf(kept.intent))
  if (outcome.kind !== 'run' || outcome.result.status !== 'confirmed' || outcome.result.transaction_id === null)
    return { ...proposal, status: 'unpaid', outcome, isOpen: await isOpen(host, proposal, BigInt(http.clockMs())) }
  const transactionId = outcome.result.transaction_id
  const paid = { ...proposal, transactionId, run: outcome }
  const answer = await redeemPayment(quote, { walletId, transactionId }, buyer)
  if (!answer.accepted) return { ...paid, status: 'undelivered', reason: answer.reason, retryable: answer.retryable }
  return { ...paid, status: 'bought', contentType: answer.contentType, body: answer.body }
}

/**
 * Whether the payment may still be made. By the journal, whatever the engine answered last: something was handed over and its
 * end is not known, or another process may be paying, which it cannot begin to do once the intent is over.
 */
async function isOpen(host: EconomicAgentHost, { intent }: PurchaseProposal, nowMs: bigint): Promise<boolean> {
  const { idempotency_key: key, expires_at_ms: endMs } = intent.document
  const isLive = nowMs < endMs
  const pieces: Uint8Array[] = []
  const loaded = await host.journal
    .load(key, { push: (bytes) => pieces.push(bytes) > 0 })
    .catch(() => 'failed' as const)
  if (loaded === 'missing') return isLive
  if (loaded !== 'present') return true
  try {
    const { document, receipt } = readJournal(concatBytes(...pieces))
    // What a chain took back it may take up again. What is paid here and was not found paid belongs to another offer.
    if (document.state === 'reorged' || document.state === 'confirmed') return true
    return !isTerminal(document) && (receipt !== null || isLive)
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return true
  }
}

/** Asks for the offer and keeps it with its intent. */
async function begin({ http, purchases }: ResourceBuyer, order: PurchaseOrder): Promise<KeptPurchase> {
  const { walletId, memo, ...request } = order
  const quote = await quoteResource(request, http)
  const intent = intentOfQuote(quote, { walletId, createdAtMs: BigInt(http.clockMs()), memo })
  return purchases.keep(order.idempotencyKey, { intent: intent.text, quote: packQuote(quote) })
}

function readProposal(kept: KeptPurchase): PurchaseProposal {
  return { quote: unpackQuote(kept.quote), intent: parseIntent(utf8(kept.intent)) }
}

function isFor({ quote, intent }: PurchaseProposal, order: PurchaseOrder): boolean {
  const { request } = quote
  return (
    request.origin === order.origin &&
    request.method === order.method &&
    request.resource === order.resource &&
    request.rail === order.rail &&
    request.maxFeeAtomic === order.maxFeeAtomic &&
    intent.document.wallet_id === order.walletId &&
    intent.document.memo === order.memo
  )
}
