import { listSettled, RpcError } from '@oikos/sdk'
import { type Client, createClient, custom, http, toHex } from 'viem'
import { getTransactionCount } from 'viem/actions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Agents, startAgents } from '../../../sdk/test/agents.ts'
import { type OperatorStage, startOperatorStage } from '../../test/operator/stage.ts'
import type { OperatorOptions } from './options.ts'

let agents: Agents
let stage: OperatorStage
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())
beforeEach(async () => {
  stage = await startOperatorStage(agents)
  await stage.requestMint('alice', 50n)
})
afterEach(() => stage.stop())

type Request = { readonly method: string; readonly params?: readonly unknown[] }
type Answer = (request: Request) => Promise<unknown>

/** A node of which a test says how it answers. */
function nodeThat(answer: (request: Request, ask: Answer) => Promise<unknown>): { client: OperatorOptions['client'] } {
  const node = http(stage.url)({ retryCount: 0 })
  const ask: Answer = (request) => node.request(request as never)
  const request = (asked: Request): Promise<unknown> => answer(asked, ask)
  return {
    client: createClient({
      transport: custom({ request } as never, { retryCount: 0 }),
    }) as Client as OperatorOptions['client'],
  }
}

const quick = { crankClaims: false, resendAfterMs: 0n, mineWaitMs: 100 }
const actions = () => stage.store.actions.listRecent(`11155111/${stage.agent.toLowerCase()}`, 10)
const settled = async () => (await listSettled(agents.as.owner, { agent: stage.agent, fromBlock: 0n })).events

describe('a node', () => {
  test('that takes the bytes and whose answer is lost has them once', async () => {
    let isLost = false
    const { client } = nodeThat(async (request, ask) => {
      const answer = await ask(request)
      if (request.method !== 'eth_sendRawTransaction' || isLost) return answer
      isLost = true
      throw new RpcError('the connection was closed')
    })
    const before = await getTransactionCount(agents.as.owner, { address: stage.executor.address })
    await stage.operator(quick, { client }).tick()
    await stage.operator(quick, { client }).tick()
    expect(isLost).toBe(true)
    expect(await settled()).toHaveLength(1)
    expect((await getTransactionCount(agents.as.owner, { address: stage.executor.address })) - before).toBe(1)
    expect(await actions()).toMatchObject([{ succeeded: true }])
  })

  test('that loses the bytes gets the same ones again', async () => {
    const sent: unknown[] = []
    const { client } = nodeThat(async (request, ask) => {
      if (request.method !== 'eth_sendRawTransaction') return ask(request)
      sent.push(request.params?.[0])
      if (sent.length < 3) throw new RpcError('it is away')
      return ask(request)
    })
    const operator = stage.operator(quick, { client })
    await expect.poll(async () => (await operator.tick()).status, { timeout: 20_000 }).toBe('idle')
    expect(sent.length).toBeGreaterThanOrEqual(3)
    expect(new Set(sent).size).toBe(1)
    expect(await settled()).toHaveLength(1)
  })

  test('that is behind about the nonce has nothing signed under one that is used, and nothing is done twice', async () => {
    await stage.operator(quick).tick()
    await stage.requestMint('bob', 5n)
    const used = await getTransactionCount(agents.as.owner, { address: stage.executor.address })
    let isBehind = true
    const { client } = nodeThat((request, ask) =>
      isBehind && request.method === 'eth_getTransactionCount' ? Promise.resolve(toHex(used - 1)) : ask(request),
    )
    const operator = stage.operator(quick, { client })
    await operator.tick()
    isBehind = false
    await expect.poll(async () => (await operator.tick()).status, { timeout: 20_000 }).toBe('idle')
    const done = await actions()
    expect(done.map(({ nonce }) => nonce)).toEqual([BigInt(used), BigInt(used - 1)])
    expect(done.every(({ succeeded }) => succeeded === true)).toBe(true)
    expect(await settled()).toHaveLength(2)
  })

  test('that is behind the last action is not believed about what is still to be done', async () => {
    const { client } = nodeThat((request, ask) => ask(request))
    await stage.operator(quick, { client }).tick()
    const [action] = await actions()
    const old = toHex((action?.blockNumber ?? 0n) - 1n)
    const behind = nodeThat((request, ask) =>
      request.method === 'eth_getBlockByNumber' && request.params?.[0] === 'latest'
        ? ask({ ...request, params: [old, false] })
        : ask(request),
    )
    const report = await stage.operator(quick, behind).tick()
    expect(report.waiting.join()).toContain('behind')
    expect(await actions()).toHaveLength(1)
  })

  test('that is away fails the pass, and the next one goes on', async () => {
    let isAway = true
    const { client } = nodeThat((request, ask) => {
      if (isAway) throw new RpcError('it is away')
      return ask(request)
    })
    const operator = stage.operator(quick, { client })
    await expect(operator.tick()).rejects.toThrow()
    expect(operator.health().lastFailure).toBeDefined()
    isAway = false
    expect(await operator.tick()).toMatchObject({ status: 'idle' })
    expect(operator.health().lastFailure).toBeUndefined()
    expect(await settled()).toHaveLength(1)
  })
})
