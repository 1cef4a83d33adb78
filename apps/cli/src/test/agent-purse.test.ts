import { join } from 'node:path'
import { isEvmAddress, verifyEvidence } from '@oikos/core/economic'
import type { PaidResource } from '@oikos/runtime/operator'
import { createEvmLookup, createInvoiceIssuer, createMemoryRedemptions, createSeller } from '@oikos/runtime/x402'
import { createContentResolver, type FolderStore, openContentStore } from '@oikos/sdk/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createHttpEndpoint,
  createRpcEndpoint,
  parseEndpointOptions,
  type RpcEndpoint,
} from '../../../../packages/runtime/src/rails/endpoint/index.ts'
import { openShop, type Shop } from '../../../../packages/runtime/test/x402-shop.ts'
import { createPurse, type PurseConfig } from '../commands/agent/run-buy.ts'
import { AMOUNT, MAX_FEE, recipient, usePayBench } from './pay-bench.ts'
import { ORIGIN } from './pay-documents.ts'

const at = usePayBench()
const never = new AbortController().signal

describe('the purse of an operator, paid from by oikos pay in a process of its own', () => {
  let shop: Shop
  let endpoint: RpcEndpoint
  let content: FolderStore

  beforeEach(async () => {
    const [parsed] = parseEndpointOptions({ endpoints: [at.chain.url] })
    if (parsed === undefined || !isEvmAddress(recipient)) throw new Error('no endpoint')
    endpoint = createRpcEndpoint(createHttpEndpoint(parsed))
    const clockMs = () => Date.now()
    const createNonce = () => crypto.randomUUID().replaceAll('-', '')
    const issuer = createInvoiceIssuer({ secrets: [new Uint8Array(32).fill(3)], clockMs, createNonce })
    const chains = { evm: createEvmLookup(endpoint) }
    const seller = createSeller({ issuer, chains, redemptions: createMemoryRedemptions(), clockMs })
    const price = { rail: 'evm', amountAtomic: AMOUNT, payTo: recipient, lifetimeSec: 300, confirmations: 1 } as const
    shop = await openShop({ framework: 'hono', seller, accepts: [price], resource: `${ORIGIN}/data` })
    content = await openContentStore(join(at.bench.folder, 'content'))
  })
  afterEach(async () => {
    await shop.close()
    endpoint.close()
  })

  const resource = (more: Partial<PaidResource> = {}): PaidResource => ({
    ...{ name: 'data', url: `${ORIGIN}/data`, asset: 'evm:native:eth', maxPriceAtomic: AMOUNT },
    ...{ idempotencyKey: `agent/task/1/${at.key}/data`, taskHash: `0x${'11'.repeat(32)}` as PaidResource['taskHash'] },
    ...more,
  })
  const purse = () => {
    const { folder } = at.bench
    const config: PurseConfig = {
      ...{ policy: join(folder, 'policy.json'), wallet: 'buyer', rail: 'evm', maxFee: `${MAX_FEE} atomic` },
      ...{ approveRule: join(folder, 'rule.json'), approver: undefined, signer: undefined, passphraseFile: undefined },
      ...{ custody: undefined, journal: undefined, rpc: undefined, confirmations: 1, timeout: '20s' },
      localServers: { [ORIGIN]: shop.port },
    }
    const { PATH } = process.env
    const env = {
      ...{ PATH, HOME: folder, OIKOS_HOME: join(folder, 'home'), OIKOS_PASSPHRASE: 'passphrase' },
      // a key that the payer must not be given: with it, signing by another key would be a mistake nobody sees
      ...{ OIKOS_RPC_URL: at.gate.url, OIKOS_PRIVATE_KEY: `0x${'ab'.repeat(32)}` },
    }
    return createPurse({ cwd: folder, env }, config, content)
  }

  it('buys once, and gives what it bought again for the same key; its Evidence lies in the store and replays', async () => {
    const [before, sent] = [await at.balance(), at.gate.sent()]
    const first = await purse()(resource(), never)
    if (!first.ok) throw new Error(first.message)
    expect(first.paidAtomic).toBe(AMOUNT)
    const again = await purse()(resource(), never)
    expect(again).toMatchObject({ ok: true, bytes: first.bytes })
    expect([(await at.balance()) - before, at.gate.sent() - sent]).toEqual([AMOUNT, 1])
    const resolved = await createContentResolver({ store: content }).resolve(first.evidence?.uri ?? '')
    if (!resolved.ok) throw new Error(resolved.message)
    expect(verifyEvidence(resolved.bytes)).toMatchObject({ ok: true })
  })

  it('pays nothing that costs more than the need allows, and says that nothing was begun', async () => {
    const sent = at.gate.sent()
    const bought = await purse()(resource({ maxPriceAtomic: AMOUNT - 1n }), never)
    expect(bought).toMatchObject({ ok: false, uncertain: false })
    expect(at.gate.sent() - sent).toBe(0)
  })

  it('MUST NOT pay again: interrupted while it sends, the next try looks what became of it', async () => {
    const [before, sent] = [await at.balance(), at.gate.sent()]
    const stop = new AbortController()
    at.gate.onRequest = (method) => {
      if (method === 'eth_sendRawTransaction') stop.abort()
      return true
    }
    await purse()(resource(), stop.signal)
    at.gate.onRequest = () => true
    const bought = await purse()(resource(), never)
    expect(bought).toMatchObject({ ok: true, paidAtomic: AMOUNT })
    expect([(await at.balance()) - before, at.gate.sent() - sent]).toEqual([AMOUNT, 1])
  })
})
