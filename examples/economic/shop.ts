import { randomBytes } from 'node:crypto'
import type { EvmAddress } from '@oikos/core/economic'
import { createEvmLookup, createInvoiceIssuer, createMemoryRedemptions, createSeller } from '@oikos/runtime/x402'
import { nodeReader } from '../../packages/runtime/test/node-reader.ts'
import { openShop, type Shop } from '../../packages/runtime/test/x402-shop.ts'

/** What a shop sells, where it says that it is, and who is paid how much, wei. */
export type Offer = {
  readonly origin: string
  readonly resource: string
  readonly payee: EvmAddress
  readonly priceAtomic: bigint
  /** What is handed out, as JSON. */
  readonly goods: unknown
}

/** Opens an x402 shop on loopback: the unmodified server packages of x402, with our scheme for payments in ether. */
export function sellOnLoopback(rpcUrl: string, offer: Offer): Promise<Shop> {
  const clockMs = () => Date.now()
  const seller = createSeller({
    issuer: createInvoiceIssuer({
      secrets: [new Uint8Array(randomBytes(32))],
      clockMs,
      createNonce: () => randomBytes(16).toString('hex'),
    }),
    chains: { evm: createEvmLookup(nodeReader(rpcUrl)) },
    redemptions: createMemoryRedemptions(),
    clockMs,
  })
  const { origin, resource, payee: payTo, priceAtomic: amountAtomic, goods } = offer
  return openShop({
    framework: 'hono',
    seller,
    accepts: [{ rail: 'evm', amountAtomic, payTo, lifetimeSec: 300, confirmations: 1 }],
    resource: `${origin}${resource}`,
    handle: () => ({ status: 200, body: goods }),
  })
}
