import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RailAddress } from '@oikos/core/economic'
import { type Address, createWalletClient, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { sepolia } from 'viem/chains'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../../scripts/chain.ts'
import { collectingSink } from '../../test/collecting-sink.ts'
import { nodeReader } from '../../test/node-reader.ts'
import { keyOf, proveWith } from '../../test/payer.ts'
import { selfSign } from '../../test/self-signed.ts'
import { openShop, type Shop, type ShopOptions } from '../../test/x402-shop.ts'
import {
  createEvmLookup,
  createInvoiceIssuer,
  createMemoryRedemptions,
  createSeller,
  createX402InvoiceAdapter,
  openSqliteRedemptions,
  packQuote,
  paymentIdentifierOf,
  presentPayment,
  quoteResource,
  type RedemptionStore,
  unpackQuote,
  type X402Quote,
  type X402Refusal,
} from './index.ts'

const origin = 'https://market.example.org'
const resource = `${origin}/data`
const idempotencyKey = 'purchase.1'
const payer = keyOf('evm', 5)
const payTo = keyOf('evm', 9).address

let chain: LocalChain
let wallet: ReturnType<typeof walletOf>
const shops: Shop[] = []

beforeAll(async () => {
  chain = await startChain()
  wallet = walletOf()
})
afterAll(() => chain.stop())
beforeEach(async () => {
  await nodeReader(chain.url).read('anvil_setBalance', [payer.address, `0x${(10n ** 20n).toString(16)}`])
})
afterEach(async () => {
  await Promise.all(shops.splice(0).map((shop) => shop.close()))
})

function walletOf() {
  const account = privateKeyToAccount(`0x${'05'.repeat(32)}`)
  return createWalletClient({ account, chain: sepolia, transport: http(chain.url), pollingInterval: 20 }).extend(
    publicActions,
  )
}

async function pay(amountAtomic: bigint, to: RailAddress = payTo): Promise<Hex> {
  const hash = await wallet.sendTransaction({ to: to as Address, value: amountAtomic })
  await wallet.waitForTransactionReceipt({ hash })
  return hash
}

const mine = (blocks: number) => nodeReader(chain.url).read('anvil_mine', [`0x${blocks.toString(16)}`])
const paymentsMade = () => wallet.getTransactionCount({ address: payer.address as Address })

const certificate = selfSign('market.example.org')

function sellerOf(redemptions: RedemptionStore = createMemoryRedemptions()) {
  const clockMs = () => Date.now()
  const issuer = createInvoiceIssuer({
    secrets: [new Uint8Array(32).fill(3)],
    clockMs,
    createNonce: () => crypto.randomUUID().replaceAll('-', ''),
  })
  return createSeller({ issuer, chains: { evm: createEvmLookup(nodeReader(chain.url)) }, redemptions, clockMs })
}

async function open(options: Partial<ShopOptions> & Pick<ShopOptions, 'framework'>, amountAtomic = 1_000n) {
  const price = { rail: 'evm', amountAtomic, payTo, lifetimeSec: 60, confirmations: 1 } as const
  const shop = await openShop({ seller: sellerOf(), accepts: [price], resource, certificate, ...options })
  shops.push(shop)
  const secure = !('certificate' in options) || options.certificate !== undefined
  const authority = secure ? { authorityPem: certificate.certificatePem } : {}
  return { shop, http: { localServers: { [origin]: { port: shop.port, ...authority } }, clockMs: () => Date.now() } }
}

const request = {
  origin,
  method: 'GET',
  resource: '/data',
  rail: 'evm',
  idempotencyKey,
  maxFeeAtomic: 10n ** 15n,
} as const

async function proofFor(quote: X402Quote, hash: Hex) {
  return proveWith(payer, quote.terms, hash, paymentIdentifierOf(quote.request.idempotencyKey))
}

describe.each(['express', 'hono'] as const)('a shop on unmodified %s', (framework) => {
  test('sells to whom presents the transaction that pays its invoice, once, and as often as it is presented', async () => {
    const { shop, http } = await open({ framework })
    const quote = await quoteResource(request, http)
    const before = await paymentsMade()
    const proof = await proofFor(quote, await pay(quote.terms.amountAtomic))
    const first = await presentPayment(quote, proof, http)
    expect(first).toMatchObject({ accepted: true, status: 200 })
    expect(first.accepted && JSON.parse(Buffer.from(first.body).toString())).toEqual({ secret: 42 })
    // The answer was lost, so the payer asks again and gets another 402 for the same key: nothing is paid again.
    const second = await presentPayment(quote, proof, http)
    expect(second.accepted).toBe(true)
    expect(await paymentsMade()).toBe(before + 1)
    expect(shop.served()).toBe(2)
  })

  test('without TLS sells the resource that its route names', async () => {
    const { http } = await open({ framework, certificate: undefined } as never)
    const quote = await quoteResource(request, http)
    const proof = await proofFor(quote, await pay(quote.terms.amountAtomic))
    expect((await presentPayment(quote, proof, http)).accepted).toBe(true)
  })

  test('sells a POST', async () => {
    const { http } = await open({ framework, method: 'POST' })
    const quote = await quoteResource({ ...request, method: 'POST' }, http)
    const proof = await proofFor(quote, await pay(quote.terms.amountAtomic))
    expect((await presentPayment(quote, proof, http)).accepted).toBe(true)
  })

  test('serves nothing for the transaction of somebody else', async () => {
    const { shop, http } = await open({ framework })
    const hash = await pay(1_000n)
    const quote = await quoteResource(request, http)
    const proof = await proveWith(keyOf('evm', 6), quote.terms, hash, paymentIdentifierOf('of.a.stranger'))
    expect(await presentPayment(quote, proof, http)).toEqual({
      accepted: false,
      status: 402,
      reason: 'payer_mismatch',
      retryable: false,
    })
    expect(shop.served()).toBe(0)
  })

  test('serves nothing for less, for another recipient, or for a transaction that paid before', async () => {
    const { shop, http } = await open({ framework })
    const quote = await quoteResource(request, http)
    const less = await proofFor(quote, await pay(999n))
    expect(await presentPayment(quote, less, http)).toMatchObject({ reason: 'amount_mismatch', retryable: false })
    const elsewhere = await proofFor(quote, await pay(1_000n, keyOf('evm', 8).address))
    expect(await presentPayment(quote, elsewhere, http)).toMatchObject({ reason: 'recipient_mismatch' })
    expect(shop.served()).toBe(0)
    const hash = await pay(1_000n)
    expect((await presentPayment(quote, await proofFor(quote, hash), http)).accepted).toBe(true)
    const next = await quoteResource({ ...request, idempotencyKey: 'purchase.2' }, http)
    expect(await presentPayment(next, await proofFor(next, hash), http)).toMatchObject({
      reason: 'transaction_already_used',
      retryable: false,
    })
    expect(shop.served()).toBe(1)
  })

  test('asks to wait for confirmations; the same payment is then accepted', async () => {
    const price = { rail: 'evm', amountAtomic: 1_000n, payTo, lifetimeSec: 60, confirmations: 3 } as const
    const { http } = await open({ framework, accepts: [price] })
    const quote = await quoteResource(request, http)
    const proof = await proofFor(quote, await pay(1_000n))
    expect(await presentPayment(quote, proof, http)).toMatchObject({ reason: 'too_few_confirmations', retryable: true })
    await mine(2)
    expect((await presentPayment(quote, proof, http)).accepted).toBe(true)
  })

  test('a handler that fails after the payment was accepted is asked again with the same payment', async () => {
    const handle = (call: number) => ({ status: call === 1 ? 500 : 200, body: { call } })
    const { shop, http } = await open({ framework, handle })
    const quote = await quoteResource(request, http)
    const before = await paymentsMade()
    const proof = await proofFor(quote, await pay(1_000n))
    expect(await presentPayment(quote, proof, http)).toMatchObject({ accepted: false, status: 500, retryable: true })
    expect((await presentPayment(quote, proof, http)).accepted).toBe(true)
    expect([shop.served(), await paymentsMade()]).toEqual([1, before + 1])
  })

  test('a price that rises after the payment does not take the payment away', async () => {
    const seller = sellerOf()
    const { shop, http } = await open({ framework, seller })
    const quote = await quoteResource(request, http)
    const proof = await proofFor(quote, await pay(1_000n))
    await shop.close()
    const dearer = await open({ framework, seller }, 5_000n)
    expect((await presentPayment(quote, proof, dearer.http)).accepted).toBe(true)
  })

  test('a payment for another resource of the same shop is refused', async () => {
    const seller = sellerOf()
    const { http } = await open({ framework, seller })
    const quote = await quoteResource(request, http)
    const proof = await proofFor(quote, await pay(1_000n))
    const other = await open({ framework, seller, resource: `${origin}/other` })
    const elsewhere = { ...quote, request: { ...quote.request, resource: '/other' } }
    expect(await presentPayment(elsewhere, proof, other.http)).toMatchObject({ reason: 'resource_mismatch' })
  })
})

describe('the invoice', () => {
  test('is the canonical document of one answer, and the adapter gives it while the server asks for the same', async () => {
    const { http } = await open({ framework: 'hono' })
    const quote = await quoteResource(request, http)
    expect(quote.invoice.document).toMatchObject({
      origin,
      method: 'GET',
      resource: '/data',
      payee: payTo,
      settlement_rail: 'evm',
      network: 'sepolia',
      asset: 'native:eth',
      amount_atomic: 1_000n,
      max_fee_atomic: 10n ** 15n,
      expires_at_ms: BigInt(quote.terms.expiresAtMs),
      nonce: quote.terms.nonce,
      idempotency_key: idempotencyKey,
    })
    const next = await quoteResource(request, http)
    expect(next.terms.nonce).not.toBe(quote.terms.nonce)
    const { sink, text } = collectingSink()
    expect(await createX402InvoiceAdapter({ ...http, quote }).fetchInvoice(origin, 'GET', '/data', sink)).toBe(
      'succeeded',
    )
    expect(text()).toBe(quote.invoice.text)
  })

  test('can be kept as text until the payment is presented', async () => {
    const { http } = await open({ framework: 'express' })
    const quote = await quoteResource(request, http)
    expect(unpackQuote(packQuote(quote))).toEqual(quote)
  })

  test.each(['', '{}', 'null', '[]', '{"schema":"oikos.x402-quote.v1"}'])('text %s is no quote', (text) => {
    expect(() => unpackQuote(text)).toThrow(expect.objectContaining({ name: 'QuoteTextError' }))
  })

  test('is refused when the server asks for more, or is asked for something else, or the invoice is over', async () => {
    const { shop, http } = await open({ framework: 'express' })
    const quote = await quoteResource(request, http)
    const refusals: X402Refusal[] = []
    const onRefusal = (refusal: X402Refusal) => refusals.push(refusal)
    const { sink, text } = collectingSink()
    await shop.close()
    const dearer = await open({ framework: 'express' }, 1_001n)
    const adapter = createX402InvoiceAdapter({ ...dearer.http, quote, onRefusal })
    expect(await adapter.fetchInvoice(origin, 'GET', '/data', sink)).toBe('policy_rejected')
    for (const [from, method, path] of [
      ['https://other.example.org', 'GET', '/data'],
      [origin, 'POST', '/data'],
      [origin, 'GET', '/other'],
    ] as const)
      expect(await adapter.fetchInvoice(from, method, path, sink)).toBe('policy_rejected')
    const late = createX402InvoiceAdapter({ ...dearer.http, quote, onRefusal, clockMs: () => quote.terms.expiresAtMs })
    expect(await late.fetchInvoice(origin, 'GET', '/data', sink)).toBe('policy_rejected')
    expect(refusals.map(({ code }) => code)).toEqual([
      'terms_changed',
      'address_refused',
      'address_refused',
      'address_refused',
      'expired',
    ])
    expect(text()).toBe('')
  })

  test('is not fetched from a shop that is closed, and the disposition says that nothing left', async () => {
    const { shop, http } = await open({ framework: 'express' })
    const quote = await quoteResource(request, http)
    await shop.close()
    const { sink } = collectingSink()
    const adapter = createX402InvoiceAdapter({ ...http, quote })
    expect(await adapter.fetchInvoice(origin, 'GET', '/data', sink)).toBe('definitely_not_started')
  })

  test('a shop with two prices on one rail is ambiguous, and one without ours has no match', async () => {
    const price = { rail: 'evm', amountAtomic: 1_000n, payTo, lifetimeSec: 60, confirmations: 1 } as const
    const { http } = await open({ framework: 'hono', accepts: [price, { ...price, amountAtomic: 1n }] })
    await expect(quoteResource(request, http)).rejects.toMatchObject({ code: 'ambiguous' })
    await expect(quoteResource({ ...request, rail: 'bitcoin' }, http)).rejects.toMatchObject({ code: 'no_match' })
  })

  test('a resource that costs nothing is no invoice, and the request may have had its effect', async () => {
    const { http } = await open({ framework: 'hono' })
    await expect(quoteResource({ ...request, method: 'POST' }, http)).rejects.toMatchObject({
      code: 'not_payment_required',
      disposition: 'failed_uncertain',
    })
  })
})

test('a purchase is remembered over a restart of the shop, for a stranger as well as for the payer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oikos-shop-'))
  try {
    const path = join(folder, 'redemptions.sqlite')
    const first = await openSqliteRedemptions(path)
    const { shop, http } = await open({ framework: 'hono', seller: sellerOf(first) })
    const quote = await quoteResource(request, http)
    const hash = await pay(1_000n)
    const proof = await proofFor(quote, hash)
    expect((await presentPayment(quote, proof, http)).accepted).toBe(true)
    await shop.close()
    await first.close()
    const second = await openSqliteRedemptions(path)
    const reopened = await open({ framework: 'hono', seller: sellerOf(second) })
    expect((await presentPayment(quote, proof, reopened.http)).accepted).toBe(true)
    const next = await quoteResource({ ...request, idempotencyKey: 'purchase.3' }, reopened.http)
    expect(await presentPayment(next, await proofFor(next, hash), reopened.http)).toMatchObject({
      reason: 'transaction_already_used',
    })
    await second.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
