import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  documentSchema,
  type Identifier,
  type NetworkPolicy,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  policyShape,
  RAIL_NETWORKS,
  RAILS,
  type Rail,
  renderCanonical,
  verifyEvidence,
} from '@oikos/core/economic'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasBcoin } from '../../test/chains/bitcoin/bcoin.ts'
import { SCRYPT_COST } from '../../test/custody-folder.ts'
import { keyOf } from '../../test/payer.ts'
import { PAYER_SEED, type PaidChain, startPaidChain } from '../../test/x402-rails.ts'
import { openShop, type Shop, type ShopOptions } from '../../test/x402-shop.ts'
import { type ApprovalLog, approvedIn, createApprover, createRuleDecider, openApprovalLog } from '../approval/index.ts'
import {
  createWalletCustody,
  openAllowList,
  openKeystoreVault,
  openWalletFolder,
  walletsFolder,
} from '../custody/index.ts'
import {
  createEconomicAgent,
  type EconomicAgentHost,
  type EconomicOutcome,
  type PaymentJournal,
  type X402InvoiceAdapter,
} from '../economic/index.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { rehearsalRunOf } from '../rehearsal/index.ts'
import {
  buyResource,
  createInvoiceIssuer,
  createSeller,
  createX402InvoiceAdapter,
  intentOfQuote,
  openSqlitePurchases,
  openSqliteRedemptions,
  PurchaseConflictError,
  type PurchaseOrder,
  type PurchaseStore,
  paymentIdentifierOf,
  presentPayment,
  quoteResource,
  type RedemptionStore,
  type ResourceBuyer,
  type X402Quote,
} from './index.ts'

const origin = 'https://market.example.org'
const resource = `${origin}/data`
const walletId = 'buyer' as Identifier

const clockMs = () => Date.now()
const replacer = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

// bcoin, the Bitcoin node of the tests, is an optional dependency
const rails = RAILS.filter((rail) => rail !== 'bitcoin' || hasBcoin)

describe.each(rails)('a resource that is bought on %s', (rail: Rail) => {
  let chain: PaidChain
  beforeAll(async () => {
    chain = await startPaidChain(rail)
  })
  afterAll(() => chain.close())

  const seller = keyOf(rail, 9).address
  let folder: string
  let shop: Shop
  let openCounter: (handle?: NonNullable<ShopOptions['handle']>) => Promise<Shop>
  let purchases: PurchaseStore
  /** What the rule approves at most. */
  const rule = { maxAmountAtomic: 0n }
  let journal: PaymentJournal
  let redemptions: RedemptionStore
  let log: ApprovalLog
  let vault: Awaited<ReturnType<typeof openKeystoreVault>>
  let http: Parameters<typeof quoteResource>[1]

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oikos-purchase-'))
    rule.maxAmountAtomic = chain.amountAtomic
    await makeWallet()
    log = await openApprovalLog(join(folder, 'approvals.sqlite'))
    vault = await openKeystoreVault(join(folder, 'custody'), {
      passphraseOf: async () => 'passphrase',
      clockMs,
      findApproval: approvedIn(log),
    })
    redemptions = await openSqliteRedemptions(join(folder, 'redemptions.sqlite'))
    const issuer = createInvoiceIssuer({
      secrets: [new Uint8Array(32).fill(3)],
      clockMs,
      createNonce: () => crypto.randomUUID().replaceAll('-', ''),
    })
    const made = createSeller({ issuer, chains: { [rail]: chain.lookup }, redemptions, clockMs })
    openCounter = (handle) => {
      const price = { rail, amountAtomic: chain.amountAtomic, payTo: seller, lifetimeSec: 300, confirmations: 1 }
      return openShop({ framework: 'hono', seller: made, accepts: [price], resource, ...(handle && { handle }) })
    }
    shop = await openCounter()
    http = { localServers: { [origin]: { port: shop.port } }, clockMs }
    purchases = await openSqlitePurchases(join(folder, 'purchases.sqlite'))
    journal = createMemoryJournal({ clockMs: () => BigInt(clockMs()) })
  })
  afterEach(async () => {
    await shop.close()
    await redemptions.close()
    purchases.close()
    vault.close()
    log.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function makeWallet() {
    const secret = new Uint8Array(32).fill(PAYER_SEED)
    const { network } = RAIL_NETWORKS[rail]
    const wallets = openWalletFolder(walletsFolder(join(folder, 'custody')), { scryptCost: SCRYPT_COST })
    await wallets.add({ walletId, rail, network, passphrase: 'passphrase', secret })
    const { amountAtomic: maxAmountAtomic, maxFeeAtomic } = chain
    await openAllowList(join(folder, 'custody')).put({
      walletId,
      rail,
      destination: seller,
      maxAmountAtomic,
      maxFeeAtomic,
    })
  }

  function policy(): string {
    const row = {
      rail,
      ...RAIL_NETWORKS[rail],
      recipients: [seller],
      max_amount_atomic: chain.amountAtomic,
      max_fee_atomic: chain.maxFeeAtomic,
      max_rolling_24h_atomic: chain.amountAtomic * 10n,
    } as NetworkPolicy
    return renderCanonical(policyShape, {
      schema: documentSchema('policy'),
      economic_agent_id: 'buyer.agent' as Identifier,
      wallet_id: walletId,
      network_policies: [row],
      x402_origins: [
        {
          origin,
          methods: ['GET'],
          resources: ['/data'],
          settlement_rails: [rail],
          max_amount_atomic: chain.amountAtomic,
        },
      ],
      limits: PRODUCTION_LIMITS,
      nonclaims: NONCLAIMS,
    })
  }

  function hostFor(invoice: X402InvoiceAdapter): EconomicAgentHost {
    const absent = async () => 'definitely_not_started' as const
    const none = { snapshot: absent, simulate: absent, broadcast: absent, reconcile: absent }
    const limits = {
      walletId,
      rail,
      origins: [origin],
      maxAmountAtomic: rule.maxAmountAtomic,
      maxFeeAtomic: chain.maxFeeAtomic,
      windowMs: 86_400_000,
      maxWindowAtomic: chain.amountAtomic * 2n,
      maxWindowPayments: 2,
    }
    return {
      journal,
      invoice,
      rails: { evm: none, solana: none, bitcoin: none, [rail]: chain.adapter },
      approver: createApprover({
        deciders: [createRuleDecider({ approverId: 'rule', limits: [limits] }, clockMs)],
        log,
        clockMs,
      }),
      custody: createWalletCustody(vault),
      boundaryProbe: () => ({ elapsedMs: () => BigInt(Math.floor(performance.now())) }),
    }
  }

  function buyer(): ResourceBuyer {
    return { policy: policy(), hostFor, vault, purchases, http }
  }

  function agentOf(quote: X402Quote) {
    return createEconomicAgent(policy(), hostFor(createX402InvoiceAdapter({ ...http, quote })), { aborted: false })
  }

  const request = (idempotencyKey: string) => ({
    origin,
    method: 'GET' as const,
    resource: '/data',
    rail,
    idempotencyKey,
    maxFeeAtomic: chain.maxFeeAtomic,
  })

  const order = (idempotencyKey: string): PurchaseOrder => ({
    ...request(idempotencyKey),
    ...{ walletId, memo: 'for the tender' },
  })

  const resultOf = (outcome: EconomicOutcome) => {
    if (outcome.kind !== 'run') throw new Error(JSON.stringify(outcome.diagnostics))
    return outcome.result
  }

  test('is paid once by the engine, proved by custody, and handed out by an unmodified shop', async () => {
    const before = await chain.balance(seller)
    let bought = await buyResource(buyer(), order('purchase.1'))
    if (bought.status === 'unpaid') {
      // Its transaction is on its way: nothing may be bought under another key for it.
      expect(bought).toMatchObject({ isOpen: true, outcome: { result: { status: 'pending' } } })
      await chain.mine()
      bought = await buyResource(buyer(), order('purchase.1'))
    }
    if (bought.status !== 'bought') throw new Error(JSON.stringify(bought, replacer))
    expect(JSON.parse(Buffer.from(bought.body).toString('utf8'))).toEqual({ secret: 42 })
    expect(bought.intent.document.memo).toBe('for the tender')
    expect(verifyEvidence(bought.run.evidence.bytes)).toMatchObject({ ok: true })
    expect(bought.run.result).toMatchObject({ status: 'confirmed', code: null, transaction_id: bought.transactionId })
    expect(await chain.balance(seller)).toBe(before + chain.amountAtomic)
    expect(log.list(10)).toHaveLength(1)
    // Asked again under the same key, the engine tells the end and pays nothing; the shop hands out again.
    const again = await buyResource(buyer(), order('purchase.1'))
    expect(again).toMatchObject({ status: 'bought', transactionId: bought.transactionId })
    await chain.mine()
    expect(await chain.balance(seller)).toBe(before + chain.amountAtomic)
    await expect(buyResource(buyer(), { ...order('purchase.1'), memo: 'another' })).rejects.toThrow(
      PurchaseConflictError,
    )
    // A process that does not share the memory of purchases pays nothing either, and does not say that nothing is paid.
    const elsewhere = await openSqlitePurchases(join(folder, 'elsewhere.sqlite'))
    const lost = await buyResource({ ...buyer(), purchases: elsewhere }, order('purchase.1'))
    elsewhere.close()
    expect(lost).toMatchObject({ status: 'unpaid', isOpen: true })
    await chain.mine()
    expect(await chain.balance(seller)).toBe(before + chain.amountAtomic)
  })

  test('that a shop does not hand out is paid all the same, and fetched when the shop is back', async () => {
    let isOpen = false
    await shop.close()
    shop = await openCounter(() => (isOpen ? { status: 200, body: 'here' } : { status: 503, body: 'closed' }))
    http = { ...http, localServers: { [origin]: { port: shop.port } } }
    const before = await chain.balance(seller)
    let closed = await buyResource(buyer(), order('purchase.4'))
    if (closed.status === 'unpaid') {
      await chain.mine()
      closed = await buyResource(buyer(), order('purchase.4'))
    }
    expect(closed).toMatchObject({ status: 'undelivered', retryable: true, reason: expect.any(String) })
    isOpen = true
    expect(await buyResource(buyer(), order('purchase.4'))).toMatchObject({ status: 'bought' })
    await chain.mine()
    expect(await chain.balance(seller)).toBe(before + chain.amountAtomic)
  })

  test('that was refused is not open, one that was never begun is as long as its offer, and none costs anything', async () => {
    const before = await chain.balance(seller)
    const mean = { ...buyer(), policy: policy().replaceAll(`:${chain.amountAtomic}`, `:${chain.amountAtomic - 1n}`) }
    const never = await buyResource(mean, order('purchase.5'))
    expect(never).toMatchObject({ status: 'unpaid', isOpen: true, outcome: { kind: 'diagnostics' } })
    const late = { ...http, clockMs: () => clockMs() + 301_000 }
    expect(await buyResource({ ...buyer(), http: late }, order('purchase.5'))).toMatchObject({ isOpen: false })
    rule.maxAmountAtomic = chain.amountAtomic - 1n
    const refused = await buyResource(buyer(), order('purchase.6'))
    expect(refused).toMatchObject({ status: 'unpaid', isOpen: false, outcome: { result: { code: 'SPX-G214' } } })
    await chain.mine()
    expect(await chain.balance(seller)).toBe(before)
  })

  test('is not handed out to somebody who saw the payment on the chain', async () => {
    const quote = await quoteResource(request('purchase.2'), http)
    const intent = intentOfQuote(quote, { walletId, createdAtMs: BigInt(clockMs()), memo: null })
    const result = resultOf(await agentOf(quote).execute(rehearsalRunOf(intent.text)))
    await chain.mine()
    const stranger = keyOf(rail, 6)
    const theirs = await quoteResource(request('purchase.of.a.stranger'), http)
    const { proveWith } = await import('../../test/payer.ts')
    const id = paymentIdentifierOf('purchase.of.a.stranger')
    const proof = await proveWith(stranger, theirs.terms, result.transaction_id ?? '', id)
    expect(await presentPayment(theirs, proof, http)).toMatchObject({ accepted: false, reason: 'payer_mismatch' })
    expect(shop.served()).toBe(0)
  })

  test('is not paid when the invoice is not the one that the server asks for', async () => {
    const quote = await quoteResource(request('purchase.3'), http)
    await shop.close()
    const intent = intentOfQuote(quote, { walletId, createdAtMs: BigInt(clockMs()), memo: null })
    const before = await chain.balance(seller)
    expect(resultOf(await agentOf(quote).execute(rehearsalRunOf(intent.text)))).toMatchObject({
      status: 'adapter_failed',
      code: 'SPX-I223',
    })
    await chain.mine()
    expect(await chain.balance(seller)).toBe(before)
    expect(log.list(10)).toEqual([])
  })

  test('the chain knows nothing of a transaction that was never made', async () => {
    const { transactionIdOf } = await import('../../test/payer.ts')
    expect(await chain.lookup(transactionIdOf(rail, 7), seller)).toEqual({ status: 'unknown' })
  })
})
