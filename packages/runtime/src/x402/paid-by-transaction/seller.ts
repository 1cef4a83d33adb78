import { RAILS, type Rail, type RailAddress } from '@oikos/core/economic'
import { x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient, RouteConfig, x402ResourceServer } from '@x402/core/server'
import {
  declarePaymentIdentifierExtension,
  PAYMENT_IDENTIFIER,
  paymentIdentifierResourceServerExtension,
} from '@x402/extensions/payment-identifier'
import { nativeAsset, RAIL_CHAINS } from '../networks.ts'
import { createPaidByTransactionFacilitator, type PaymentCheckOptions } from './facilitator-scheme.ts'
import { createPaidByTransactionServer } from './server-scheme.ts'
import { PAID_BY_TRANSACTION } from './terms.ts'

/** What one resource costs on one rail. */
export type SellerPrice = {
  readonly rail: Rail
  /** In the smallest unit of the rail's native asset. */
  readonly amountAtomic: bigint
  readonly payTo: RailAddress
  /** How long a payment may still be broadcast, seconds. */
  readonly lifetimeSec: number
  /** Blocks that must have confirmed the payment, the one that holds it included. */
  readonly confirmations: number
}

/** One entry of the `accepts` of a route. */
type PaymentOption = Exclude<RouteConfig['accepts'], readonly unknown[]>

/** Everything that an unmodified x402 server needs to be paid by transaction. */
export type Seller = {
  /** For the constructor of `x402ResourceServer`. */
  readonly facilitator: FacilitatorClient
  /** Registers the scheme on every chain of the seller, and the extension `payment-identifier`. */
  readonly register: (server: x402ResourceServer) => x402ResourceServer
  /** An entry for `accepts` of a route. */
  readonly accept: (price: SellerPrice) => PaymentOption
  /** What every route must have as its `extensions`: a payment identifier is demanded. */
  readonly extensions: Readonly<Record<string, unknown>>
}

/** A seller over the chains in `options`. One store must stand behind all servers that are paid to one address. */
export function createSeller(options: PaymentCheckOptions): Seller {
  const rails = RAILS.filter((rail) => options.chains[rail] !== undefined)
  const facilitator = new x402Facilitator()
  for (const rail of rails) facilitator.register(RAIL_CHAINS[rail], createPaidByTransactionFacilitator(rail, options))
  return {
    facilitator: {
      verify: (payload, requirements) => facilitator.verify(payload, requirements),
      settle: (payload, requirements) => facilitator.settle(payload, requirements),
      getSupported: async () => facilitator.getSupported() as Awaited<ReturnType<FacilitatorClient['getSupported']>>,
    },
    register: (server) => {
      for (const rail of rails) server.register(RAIL_CHAINS[rail], createPaidByTransactionServer(rail, options.issuer))
      return server.registerExtension(paymentIdentifierResourceServerExtension)
    },
    accept: ({ rail, amountAtomic, payTo, lifetimeSec, confirmations }) => ({
      scheme: PAID_BY_TRANSACTION,
      network: RAIL_CHAINS[rail],
      payTo,
      price: { asset: nativeAsset(rail), amount: amountAtomic.toString() },
      maxTimeoutSeconds: lifetimeSec,
      extra: { confirmations },
    }),
    extensions: { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(true) },
  }
}
