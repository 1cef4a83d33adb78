import { isRailAddress, type Rail, U64_MAX } from '@oikos/core/economic'
import type { AssetAmount, PaymentRequirements, Price, SchemeNetworkServer } from '@x402/core/types'
import { nativeAsset, RAIL_CHAINS } from '../networks.ts'
import type { InvoiceIssuer } from './issuer.ts'
import { PAID_BY_TRANSACTION, wireInvoice } from './terms.ts'

/** A route of an x402 server asks for something that the scheme cannot ask for. Not retryable: correct the route. */
export class SellerRouteError extends Error {
  override readonly name = 'SellerRouteError'
  readonly retryable = false
  readonly field: string

  constructor(field: string, got: string, expected: string) {
    super(`x402 route ${field}: got ${got}, expected ${expected}`)
    this.field = field
  }
}

type EnrichContext = Parameters<NonNullable<SchemeNetworkServer['enrichPaymentRequiredResponse']>>[0]

const AMOUNT = /^[1-9][0-9]{0,19}$/

/**
 * The server side of `paid-by-transaction` on one rail, for `x402ResourceServer` of `@x402/core`: it puts a fresh invoice
 * into each entry of its own. Payments are settled before the handler runs (flow `upfront`): the money has moved already,
 * so that the seller accepts it first and serves then.
 */
export function createPaidByTransactionServer(rail: Rail, issuer: InvoiceIssuer): SchemeNetworkServer {
  return {
    scheme: PAID_BY_TRANSACTION,
    defaultAssetTransferMethod: 'default',
    paymentFlows: { default: { supported: ['upfront'], default: 'upfront' } },
    // Each answer has an invoice of its own, so an entry is recognised by everything else.
    dynamicExtraFields: ['invoice'],
    parsePrice: async (price) => readPrice(rail, price),
    getAssetDecimals: () => DECIMALS[rail],
    enhancePaymentRequirements: async (requirements) => requirements,
    enrichPaymentRequiredResponse: async (context) =>
      context.requirements.map((entry) =>
        isOwnEntry(entry, rail) && entry.extra['invoice'] === undefined
          ? { ...entry, extra: { ...entry.extra, invoice: wireInvoice(issueFor(entry, context, rail, issuer)) } }
          : entry,
      ),
  }
}

/** Decimal places of the native assets, for display only. */
const DECIMALS: Readonly<Record<Rail, number>> = { evm: 18, solana: 9, bitcoin: 8 }

function isOwnEntry(entry: PaymentRequirements, rail: Rail): boolean {
  return entry.scheme === PAID_BY_TRANSACTION && entry.network === RAIL_CHAINS[rail]
}

function readPrice(rail: Rail, price: Price): AssetAmount {
  const asset = nativeAsset(rail)
  if (typeof price !== 'object') throw new SellerRouteError('price', String(price), `an amount of ${asset}`)
  if (price.asset !== asset) throw new SellerRouteError('price.asset', price.asset, asset)
  if (!AMOUNT.test(price.amount) || BigInt(price.amount) > U64_MAX)
    throw new SellerRouteError('price.amount', price.amount, 'a whole number from 1 to 2^64-1')
  return price
}

function issueFor(entry: PaymentRequirements, context: EnrichContext, rail: Rail, issuer: InvoiceIssuer) {
  const method = methodOf(context.transportContext)
  if (method !== 'GET' && method !== 'POST') throw new SellerRouteError('method', method, 'GET or POST')
  if (!isRailAddress(rail, entry.payTo)) throw new SellerRouteError('payTo', entry.payTo, `an address of ${rail}`)
  const confirmations = entry.extra['confirmations']
  if (typeof confirmations !== 'number')
    throw new SellerRouteError('extra.confirmations', String(confirmations), 'a number of blocks')
  return issuer.issue({
    rail,
    amountAtomic: BigInt(entry.amount),
    payTo: entry.payTo,
    confirmations,
    method,
    resource: context.resourceInfo.url,
    lifetimeSec: entry.maxTimeoutSeconds,
  })
}

/** The method of the request, as the HTTP transport of `@x402/core` hands it over. */
function methodOf(transport: unknown): string {
  const request =
    typeof transport === 'object' && transport !== null && 'request' in transport ? transport.request : null
  const method = typeof request === 'object' && request !== null && 'method' in request ? request.method : null
  return typeof method === 'string' ? method.toUpperCase() : 'none'
}
