import { type Client, createClient, custom, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Market, rpc, startMarket } from '../../test/market.ts'
import * as sdk from '../index.ts'

const REWARD = 10n ** 18n
let market: Market
let target: sdk.TaskTarget
let other: sdk.TaskTarget
beforeAll(async () => {
  market = await startMarket()
  target = { task: market.task, tokenId: await market.mint() }
  other = { task: market.task, tokenId: await market.mint() }
  await sdk.fundTaskAndWait(market.as.funder, { ...target, amountAtomic: REWARD })
  await sdk.fundTaskAndWait(market.as.stranger, { ...target, amountAtomic: 2n })
  await sdk.fundTaskAndWait(market.as.funder, { ...other, amountAtomic: 3n })
  const delivery = { resultHash: keccak256('0x01'), resultURI: 'ipfs://result' }
  await sdk.submitFulfillmentAndWait(market.as.fulfiller, { ...target, ...delivery })
})
afterAll(() => market.stop())

/** The same chain with its blocks further apart: block n of the node is block n * `factor`, all others are empty. */
function sparseClient(factor: bigint): Client {
  const big = (text: unknown): bigint => BigInt(text as string)
  const request = async ({ method, params }: { method: string; params?: readonly unknown[] }): Promise<unknown> => {
    if (method === 'eth_getBlockByNumber') {
      const block = (await rpc(market.as.stranger, method, params)) as { number: string }
      return { ...block, number: toHex(big(block.number) * factor) }
    }
    if (method !== 'eth_getLogs') return rpc(market.as.stranger, method, params)
    const [filter] = params as [{ fromBlock: string; toBlock: string }]
    const first = (big(filter.fromBlock) + factor - 1n) / factor
    const last = big(filter.toBlock) / factor
    if (first > last) return []
    const narrowed = { ...filter, fromBlock: toHex(first), toBlock: toHex(last) }
    const logs = (await rpc(market.as.stranger, method, [narrowed])) as { blockNumber: string }[]
    return logs.map((log) => ({ ...log, blockNumber: toHex(big(log.blockNumber) * factor) }))
  }
  return createClient({ transport: custom({ request }) })
}

describe('listing', () => {
  test('gives every event of a kind, or those with an indexed argument', async () => {
    const { as, task, address } = market
    const all = await sdk.listTenderFunded(as.stranger, { task, fromBlock: 0n })
    expect(all.events.map(({ args }) => args.amount)).toEqual([REWARD, 2n, 3n])
    expect(all.nextFromBlock).toBeUndefined()
    const ofOne = await sdk.listTenderFunded(as.stranger, { task, tokenId: target.tokenId, fromBlock: 0n })
    expect(ofOne.events.map(({ args }) => args.amount)).toEqual([REWARD, 2n])
    const byOne = await sdk.listTenderFunded(as.stranger, { task, funder: address.funder, fromBlock: 0n })
    expect(byOne.events.map(({ args }) => args.amount)).toEqual([REWARD, 3n])
    const event = all.events[0]
    expect(event).toMatchObject({ eventName: 'TenderFunded', address: task, logIndex: expect.any(Number) })
    const block = await sdk.getBlockMoment(as.stranger, event?.blockNumber)
    expect(event?.blockHash).toBe(block.hash)
  })

  test('the text of a delivery is in its event', async () => {
    const page = await sdk.listFulfillmentSubmitted(market.as.stranger, { ...target, fromBlock: 0n })
    expect(page.events.map(({ args }) => args.resultURI)).toEqual(['ipfs://result'])
  })

  test('all events of one tender come in the order of the chain, the ERC-721 ones too', async () => {
    const page = await sdk.listTaskEvents(market.as.stranger, { ...target, fromBlock: 0n })
    expect(page.events.map(({ eventName }) => eventName)).toEqual([
      'Transfer',
      'TaskUpdated',
      'TaskUpdateAuthorityChanged',
      'AcceptanceAuthorityChanged',
      'TaskURIUpdated',
      'TenderFunded',
      'TenderFunded',
      'FulfillmentSubmitted',
    ])
  })

  test('events of a verifier are narrowed to a tender', async () => {
    const { as, deployment } = market
    const verifier = deployment.hashlockVerifier
    for (const at of [target, other]) {
      const answerHash = sdk.hashlockAnswerHash(Uint8Array.of(Number(at.tokenId)))
      await sdk.commitAnswerAndWait(as.publisher, { ...at, verifier, answerHash })
    }
    const all = await sdk.listAnswerCommitted(as.stranger, { verifier, fromBlock: 0n })
    expect(all.events).toHaveLength(2)
    const one = await sdk.listAnswerCommitted(as.stranger, { verifier, ...other, fromBlock: 0n })
    expect(one.events).toMatchObject([{ args: { tokenId: other.tokenId } }])
    const none = await sdk.listBatchRootCommitted(as.stranger, {
      verifier: deployment.batchReceiptVerifier,
      fromBlock: 0n,
    })
    expect(none.events).toEqual([])
  })

  test('a range beyond the stated maximum is given in pages without gap or repetition', async () => {
    const { as, task } = market
    const sparse = sparseClient(10_000n)
    const real = await sdk.listTaskEvents(as.stranger, { task, fromBlock: 0n })
    const span = sdk.MAX_BLOCKS_PER_REQUEST * BigInt(sdk.MAX_REQUESTS_PER_PAGE)
    const seen: sdk.AnyTaskEvent[] = []
    let pages = 0
    let fromBlock: bigint | undefined = 0n
    while (fromBlock !== undefined) {
      const page: sdk.EventPage<sdk.AnyTaskEvent> = await sdk.listTaskEvents(sparse, { task, fromBlock })
      expect(page.toBlock - fromBlock + 1n).toBeLessThanOrEqual(span)
      expect(page.nextFromBlock ?? page.toBlock + 1n).toBe(page.toBlock + 1n)
      seen.push(...page.events)
      fromBlock = page.nextFromBlock
      pages += 1
    }
    expect(pages).toBeGreaterThan(1)
    const place = ({ transactionHash, logIndex }: sdk.AnyTaskEvent) => [transactionHash, logIndex]
    expect(seen.map(place)).toEqual(real.events.map(place))
  })

  test('a range that ends beyond the chain is covered up to its end', async () => {
    const { as, task } = market
    const { number } = await sdk.getBlockMoment(as.stranger)
    const page = await sdk.listTenderFunded(as.stranger, { task, fromBlock: 0n, toBlock: number + 1_000n })
    expect(page).toMatchObject({ toBlock: number })
    expect(page.nextFromBlock).toBeUndefined()
    const ahead = await sdk.listTenderFunded(as.stranger, { task, fromBlock: number + 5n })
    expect(ahead).toEqual({ events: [], toBlock: number })
  })

  test('a node that refuses the range is asked for smaller ones', async () => {
    const { as, task } = market
    const asked: bigint[] = []
    const narrow = createClient({
      transport: custom(
        {
          request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
            if (method === 'eth_getLogs') {
              const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
              const blocks = BigInt(toBlock) - BigInt(fromBlock) + 1n
              asked.push(blocks)
              if (blocks > 4n) throw Object.assign(new Error('block range too large'), { code: -32005 })
            }
            return rpc(as.stranger, method, params)
          },
        },
        { retryCount: 0 },
      ),
    })
    const page = await sdk.listTenderFunded(narrow, { task, fromBlock: 0n })
    expect(page.events.length).toBeGreaterThanOrEqual(3)
    expect(asked[0]).toBeGreaterThan(4n)
    expect(asked.filter((blocks) => blocks <= 4n).reduce((sum, blocks) => sum + blocks)).toBe(page.toBlock + 1n)
  })
})

describe('watching', () => {
  test('reports what was there from a block on and what comes, each once, until it is ended', async () => {
    const { as, task } = market
    const seen: bigint[] = []
    const ended = sdk.watchTenderFunded(as.stranger, {
      task,
      tokenId: target.tokenId,
      fromBlock: 0n,
      pollingIntervalMs: 10,
      onEvents: (events) => seen.push(...events.map(({ args }) => args.amount)),
    })
    await vi.waitFor(() => expect(seen).toEqual([REWARD, 2n]), { timeout: 10_000 })
    await sdk.fundTaskAndWait(as.funder, { ...target, amountAtomic: 5n })
    await sdk.fundTaskAndWait(as.funder, { ...target, amountAtomic: 6n })
    await vi.waitFor(() => expect(seen).toEqual([REWARD, 2n, 5n, 6n]), { timeout: 10_000 })
    ended()
    await sdk.fundTaskAndWait(as.funder, { ...target, amountAtomic: 7n })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(seen).toEqual([REWARD, 2n, 5n, 6n])
  })

  test('waits for confirmations', async () => {
    const { as } = market
    const seen: string[] = []
    const latest = await sdk.getBlockMoment(as.stranger)
    const ended = sdk.watchTaskEvents(as.stranger, {
      ...other,
      fromBlock: latest.number + 1n,
      confirmations: 2,
      pollingIntervalMs: 10,
      onEvents: (events) => seen.push(...events.map(({ eventName }) => eventName)),
    })
    await sdk.setTaskURIAndWait(as.publisher, { ...other, taskURI: 'ipfs://other' })
    await rpc(as.owner, 'evm_mine')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(seen).toEqual([])
    await rpc(as.owner, 'evm_mine')
    await vi.waitFor(() => expect(seen).toEqual(['TaskURIUpdated']), { timeout: 10_000 })
    ended()
  })

  test('a poll that fails is told and repeated, so that nothing is missed', async () => {
    const { as, task } = market
    let failures = 2
    const unreliable = createClient({
      transport: custom(
        {
          request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
            if (method === 'eth_getBlockByNumber' && failures-- > 0) throw new Error('try later')
            return rpc(as.stranger, method, params)
          },
        },
        { retryCount: 0 },
      ),
    })
    const seen: bigint[] = []
    const errors: sdk.OikosError[] = []
    const ended = sdk.watchTenderFunded(unreliable, {
      task,
      tokenId: target.tokenId,
      fromBlock: 0n,
      pollingIntervalMs: 10,
      onEvents: (events) => seen.push(...events.map(({ args }) => args.amount)),
      onError: (error) => errors.push(error),
    })
    await vi.waitFor(() => expect(seen.slice(0, 2)).toEqual([REWARD, 2n]), { timeout: 10_000 })
    ended()
    expect(errors).toHaveLength(2)
  })
})
