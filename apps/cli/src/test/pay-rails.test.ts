import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rail } from '@oikos/core/economic'
import { createInvoiceIssuer, createMemoryRedemptions, createSeller } from '@oikos/runtime/x402'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBcoin } from '../../../../packages/runtime/test/chains/bitcoin/bcoin.ts'
import { keyOf } from '../../../../packages/runtime/test/payer.ts'
import { PAYER_SEED, type PaidChain, startPaidChain } from '../../../../packages/runtime/test/x402-rails.ts'
import { openShop } from '../../../../packages/runtime/test/x402-shop.ts'
import { createWorkbench, type Workbench } from './harness.ts'
import { intentOf, ORIGIN, type PaidTerms, policyOf, ruleOf } from './pay-documents.ts'

/** A chain of a rail, and what `pay` is told to speak with its node. */
type Place = { readonly name: string; readonly rail: Rail; readonly speaks: readonly string[] }

const PLACES: readonly Place[] = [
  { name: 'solana', rail: 'solana', speaks: [] },
  { name: 'bitcoin over Bitcoin Core', rail: 'bitcoin', speaks: [] },
  { name: 'bitcoin over Esplora', rail: 'bitcoin', speaks: ['--speaks', 'esplora'] },
]

describe.each(PLACES)('pay on $name', ({ rail, speaks }) => {
  const isMissing = rail === 'bitcoin' && !hasBcoin
  let chain: PaidChain
  let bench: Workbench
  let terms: PaidTerms
  const recipient = keyOf(rail, 9).address
  beforeAll(async () => {
    if (isMissing) return
    chain = await startPaidChain(rail)
    terms = { rail, recipient, amountAtomic: chain.amountAtomic, maxFeeAtomic: chain.maxFeeAtomic }
  })
  afterAll(() => chain?.close())
  beforeEach(async ({ skip }) => {
    skip(isMissing, 'bcoin, the Bitcoin node of the tests, is not installed')
    const url = speaks.length === 0 ? chain.url : (chain.esploraUrl ?? '')
    bench = await createWorkbench({ OIKOS_PASSPHRASE: 'passphrase', OIKOS_RPC_URL: url })
    const secret = Buffer.alloc(32, PAYER_SEED).toString('hex')
    const made = await bench.run(['wallet', 'import', 'buyer', '--rail', rail], { env: { OIKOS_PRIVATE_KEY: secret } })
    expect(made.code, made.err).toBe(0)
    const limits = ['--max-amount', `${terms.amountAtomic} atomic`, '--max-fee', `${terms.maxFeeAtomic} atomic`]
    const allowed = await bench.run(['wallet', 'allow', 'buyer', recipient, '--rail', rail, ...limits])
    expect(allowed.code, allowed.err).toBe(0)
    await writeFile(join(bench.folder, 'policy.json'), policyOf(terms))
    await writeFile(join(bench.folder, 'rule.json'), JSON.stringify(ruleOf(terms)))
  })
  afterEach(() => bench?.stop())

  const how = ['--confirmations', '1', '--timeout', '0s', ...speaks, '--json']
  const pay = (what: readonly string[] = ['--intent', 'intent.json']) =>
    bench.run(['pay', '--policy', 'policy.json', ...what, '--approve-rule', 'rule.json', ...how])
  const reconcile = (key: string, more: readonly string[] = []) => bench.run(['pay', 'reconcile', key, ...how, ...more])

  it('MUST pay once: pending until a block has it, paid when one has, and never again', async () => {
    const before = await chain.balance(recipient)
    await writeFile(join(bench.folder, 'intent.json'), intentOf('invoice.1', terms))
    const first = await pay()
    expect(first.json, first.err).toMatchObject({ outcome: 'uncertain', state: 'pending', rail })
    expect(first.code).toBe(5)
    expect(first.err).toContain('oikos pay reconcile invoice.1')
    await chain.mine()
    const { json, code } = await reconcile('invoice.1')
    expect(json).toMatchObject({ ok: true, outcome: 'paid', state: 'confirmed', causes: [] })
    expect(code).toBe(0)
    expect((await pay()).json).toMatchObject({ outcome: 'paid' })
    await chain.mine()
    expect(await chain.balance(recipient)).toBe(before + terms.amountAtomic)
  })

  it('buys an x402 resource: paid, proved and handed out once it is confirmed', async () => {
    const clockMs = () => Date.now()
    const createNonce = () => crypto.randomUUID().replaceAll('-', '')
    const issuer = createInvoiceIssuer({ secrets: [new Uint8Array(32).fill(3)], clockMs, createNonce })
    const chains = { [rail]: chain.lookup }
    const seller = createSeller({ issuer, chains, redemptions: createMemoryRedemptions(), clockMs })
    const price = { rail, amountAtomic: terms.amountAtomic, payTo: recipient, lifetimeSec: 300, confirmations: 1 }
    const shop = await openShop({ framework: 'hono', seller, accepts: [price], resource: `${ORIGIN}/data` })
    try {
      const local = ['--local-server', String(shop.port)]
      const what = ['--x402', `${ORIGIN}/data`, '--rail', rail, '--wallet', 'buyer', '--key', 'purchase.1', ...local]
      const before = await chain.balance(recipient)
      const first = await pay([...what, '--max-fee', `${terms.maxFeeAtomic} atomic`])
      expect(first.json, first.err).toMatchObject({ outcome: 'uncertain', state: 'pending' })
      expect(shop.served()).toBe(0)
      await chain.mine()
      const { json } = await reconcile('purchase.1', [...local, '--out', 'data.json'])
      expect(json).toMatchObject({ ok: true, outcome: 'paid', delivery: { accepted: true, status: 200 } })
      expect(JSON.parse(await readFile(join(bench.folder, 'data.json'), 'utf8'))).toEqual({ secret: 42 })
      expect(shop.served()).toBe(1)
      expect(await chain.balance(recipient)).toBe(before + terms.amountAtomic)
    } finally {
      await shop.close()
    }
  })

  it('finds that nobody answers before anything is signed', async () => {
    await writeFile(join(bench.folder, 'intent.json'), intentOf('invoice.2', terms))
    const nowhere = { env: { OIKOS_RPC_URL: 'http://127.0.0.1:9' } }
    const command = ['pay', '--policy', 'policy.json', '--intent', 'intent.json', '--approve-rule', 'rule.json', ...how]
    const { json, code } = await bench.run(command, nowhere)
    expect(json).toMatchObject({ ok: false, outcome: 'refused', causes: [expect.stringContaining('127.0.0.1:9')] })
    expect(code).toBe(1)
  })
})
