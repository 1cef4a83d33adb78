import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getBlockNumber } from 'viem/actions'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { compileMocks } from '../../../../packages/sdk/test/compile-mocks.ts'
import { rpc } from '../../../../packages/sdk/test/market.ts'
import { createMarketBench, fundedAddress, fundedKey, textAt } from './harness.ts'

type Rpc = { id: number; method: string }
/** What happens to a request that sends a transaction: whether the node gets it, and what the sender hears. */
type Fate = { forward: boolean; reply: 'lost' | 'silent' | { code: number; message: string } }

let market: Awaited<ReturnType<typeof createMarketBench>>
let task: string
let proxy: { server: Server; url: string; sent: number; fate: Fate; down: boolean }

beforeAll(async () => {
  market = await createMarketBench()
  await market.as(0, 'task', 'init', 'work')
  const judge = fundedAddress(1)
  const terms = ['--reward', '1 ETH', '--judge', judge, '--window', '1d', '--yes']
  task = textAt(await market.as(0, 'task', 'mint', 'work', ...terms), 'tokenId')
  proxy = await startProxy()
})
afterAll(async () => {
  proxy.server.closeAllConnections()
  proxy.server.close()
  await market.stop()
})
afterEach(() => {
  proxy.down = false
})

/** A node that answers everything but the request that sends a transaction, whose fate a test decides. */
async function startProxy(): Promise<typeof proxy> {
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const calls = [JSON.parse(body) as Rpc | Rpc[]].flat()
    const sending = calls.find(({ method }) => method === 'eth_sendRawTransaction')
    if (sending === undefined && state.down) return request.socket.destroy()
    if (sending === undefined) return response.end(await forward(body))
    state.sent += 1
    const { fate } = state
    if (fate.forward) await forward(body)
    if (fate.reply === 'lost') return request.socket.destroy()
    if (fate.reply === 'silent') {
      state.down = true
      return request.socket.destroy()
    }
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: sending.id, error: fate.reply }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: typeof proxy = { server, url, sent: 0, fate: { forward: true, reply: 'lost' }, down: false }
  return state
}

async function forward(body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(market.market.chain.url, { method: 'POST', headers, body })).text()
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

async function fundThrough(fate: Fate) {
  proxy.fate = fate
  proxy.sent = 0
  const before = await getBlockNumber(market.market.as.owner, { cacheTime: 0 })
  const result = await market.bench.run(
    ['task', 'fund', task, '1 gwei', '--yes', '--json', '--rpc', proxy.url, '--timeout', '5s'],
    { env: { OIKOS_PRIVATE_KEY: fundedKey(0) } },
  )
  const blocks = (await getBlockNumber(market.market.as.owner, { cacheTime: 0 })) - before
  expect(proxy.sent, 'the transaction is sent exactly once').toBe(1)
  return { ...result, blocks }
}

describe('a transaction is sent once, whatever becomes of the answer', () => {
  it('is found by its hash when the answer gets lost', async () => {
    const { code, json, blocks } = await fundThrough({ forward: true, reply: 'lost' })
    expect([code, blocks]).toEqual([0, 1n])
    expect(json).toMatchObject({ sent: true, event: { name: 'TenderFunded' } })
  })

  it('is found when a node answers that it has it already', async () => {
    const { code, blocks } = await fundThrough({ forward: true, reply: { code: -32000, message: 'already known' } })
    expect([code, blocks]).toEqual([0, 1n])
  })

  it('ends with 5, its hash and how to check when nobody knows what became of it', async () => {
    const { code, json, err, blocks } = await fundThrough({ forward: true, reply: 'silent' })
    expect([code, blocks]).toEqual([5, 1n])
    const hash = textAt(json, 'error.hash')
    expect(json).toMatchObject({ ok: false, exitCode: 5, error: { name: 'TransactionPendingError' } })
    expect(err).toContain('do not send')
    expect(err).toContain(`oikos transaction show ${hash}`)
    const shown = await market.bench.run(['transaction', 'show', hash])
    expect(shown.code).toBe(0)
  })

  it('ends with 5 as well when it never arrived: that is not known either', async () => {
    const { code, json, blocks } = await fundThrough({ forward: false, reply: 'lost' })
    expect([code, blocks]).toEqual([5, 0n])
    expect((await market.bench.run(['transaction', 'show', textAt(json, 'error.hash')])).code).toBe(4)
  })

  it('is over at once when the node refuses it', async () => {
    const refusal = { code: -32000, message: 'insufficient funds for gas * price + value' }
    const { code, json, blocks } = await fundThrough({ forward: false, reply: refusal })
    expect([code, blocks]).toEqual([1, 0n])
    expect(json).toMatchObject({ error: { name: 'InsufficientFundsError' } })
    const low = await fundThrough({ forward: false, reply: { code: -32000, message: 'nonce too low' } })
    expect(low.code).toBe(1)
    expect(low.json).toMatchObject({ error: { name: 'NodeRefusedError' } })
  })

  it('keeps its hash through a Ctrl-C while the chain is waited for', async () => {
    const { owner } = market.market.as
    await rpc(owner, 'evm_setAutomine', [false])
    const interruption = new AbortController()
    const { code, json, err } = await market.bench.run(['task', 'fund', task, '1 gwei', '--yes', '--json'], {
      env: { OIKOS_PRIVATE_KEY: fundedKey(0) },
      signal: interruption.signal,
      onSay: (text) => {
        if (text.startsWith('Sending 0x')) setTimeout(() => interruption.abort(), 300)
      },
    })
    expect(code).toBe(5)
    const hash = textAt(json, 'error.hash')
    expect(err).toContain(hash)
    const waiting = await market.bench.run(['transaction', 'show', hash])
    expect(waiting.code).toBe(5)
    await rpc(owner, 'evm_setAutomine', [true])
    await rpc(owner, 'evm_mine')
    expect((await market.bench.run(['transaction', 'show', hash])).code).toBe(0)
  })
})

describe('a tender that is paid in a token', () => {
  it('is minted and funded with a symbol of the configuration, approved for exactly the amount', async () => {
    const { bench, market: chain, as } = market
    const { TestToken: token } = compileMocks()
    const address = await chain.deployMock(token, ['USDX', 6])
    await chain.tell(token, address, 'mint', [fundedAddress(3), 500_000_000n])
    const terms = ['--judge', fundedAddress(1), '--window', '1d', '--yes']
    const minted = await as(0, 'task', 'mint', 'work', '--reward', '12.5 USDX', '--asset', address, ...terms)
    const funded = textAt(minted, 'tokenId')
    expect(minted).toMatchObject({ terms: { asset: address, rewardPerCompletionAtomic: '12500000' } })

    const dry = await bench.run([
      'task',
      'fund',
      funded,
      '250.5 USDX',
      '--dry-run',
      '--from',
      fundedAddress(3),
      '--json',
    ])
    expect(dry.json).toMatchObject({ sent: false, plan: { function: 'approve', contract: address } })
    const sent = await as(3, 'task', 'fund', funded, '250.5 USDX', '--yes')
    expect(sent).toMatchObject({
      plan: { function: 'fundTask', valueWei: '0' },
      event: { name: 'TenderFunded', args: { amount: '250500000' } },
      approval: { sent: true, event: { name: 'Approval', args: { value: '250500000' } } },
    })
    const poor = await bench.run(['task', 'fund', funded, '250 USDX', '--yes'], {
      env: { OIKOS_PRIVATE_KEY: fundedKey(3) },
    })
    expect(poor.code).toBe(2)
    expect(poor.err).toContain('holds 249.5 USDX; 250 USDX are needed')
    expect((await bench.run(['task', 'show', funded])).out).toContain('12.5 USDX a completion')
  })

  it('shows a token that calls itself like the native currency for what it is', async () => {
    const { bench, market: chain, as } = market
    const { TestToken: token } = compileMocks()
    const address = await chain.deployMock(token, ['ETH', 18])
    const terms = ['--judge', fundedAddress(1), '--window', '1d', '--yes']
    const minted = await as(0, 'task', 'mint', 'work', '--reward', '5 atomic', '--asset', address, ...terms)
    const shown = await bench.run(['task', 'show', textAt(minted, 'tokenId')])
    expect(shown.out).not.toMatch(/ETH a completion/)
    expect(shown.out).toContain('symbol-of-native')
  })
})
