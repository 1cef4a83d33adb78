import { agentAbi } from '@oikos/core/abi'
import { type Address, encodeFunctionData, type Hash, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, startAgents, USDC } from '../../test/agents.ts'
import { compileMocks } from '../../test/compile-mocks.ts'
import { createContentResolver } from '../content/resolver.ts'
import type { AnyAgentEvent } from '../events/agent/define-agent-event.ts'
import * as sdk from '../index.ts'
import { groupCitations } from './list-citations.ts'

describe('citations of events', () => {
  const [one, two]: Hash[] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
  const event = (eventName: string, transactionHash: Hash | undefined, args: object): AnyAgentEvent =>
    ({
      eventName,
      transactionHash,
      blockNumber: 1n,
      args: { reasoningHash: `0x${'a'.repeat(64)}`, reasoningURI: 'ipfs://x', ...args },
    }) as never
  const reasoned = (name: string) => {
    const item = agentAbi.find((entry) => entry.type === 'function' && entry.name === name)
    return { action: item?.type === 'function' ? toFunctionSelector(item) : '0x00000000' }
  }
  const brief = (...events: AnyAgentEvent[]) =>
    groupCitations(events).map(({ action, actionCount, citedBefore }) => [action, actionCount, citedBefore])

  test.each<[string, AnyAgentEvent[], unknown[]]>([
    ['a settlement', [event('Settled', one, { kind: 0 })], [['settleMint', 1, []]]],
    ['a redemption', [event('Settled', one, { kind: 1 })], [['settleRedeem', 1, []]]],
    ['an execution', [event('Executed', one, {})], [['execute', 1, []]]],
    [
      'an execution with an allowance',
      [event('Executed', one, {}), event('Reasoned', one, reasoned('executeWithAllowance'))],
      [['executeWithAllowance', 1, []]],
    ],
    [
      'a batch',
      [
        event('Reasoned', one, reasoned('settleMintBatch')),
        event('Settled', one, { kind: 0 }),
        event('Settled', one, { kind: 0 }),
      ],
      [['settleMintBatch', 1, []]],
    ],
    ['a decline', [event('Reasoned', one, reasoned('decline'))], [['decline', 1, []]]],
    ['an action that nobody knows', [event('Reasoned', one, { action: '0x12345678' })], [[undefined, 1, []]]],
    ['other events', [event('Transfer', one, {})], []],
    [
      'one record for two settlements of a transaction',
      [event('Settled', one, { kind: 0 }), event('Settled', one, { kind: 1 })],
      [['settleMint', 2, []]],
    ],
    [
      'one record for a settlement and an execution',
      [event('Settled', one, { kind: 0 }), event('Executed', one, {})],
      [['settleMint', 2, []]],
    ],
    [
      'one record in two transactions',
      [event('Settled', one, { kind: 0 }), event('Executed', two, {})],
      [
        ['settleMint', 1, []],
        ['execute', 1, [one]],
      ],
    ],
    [
      'one hash under two URIs',
      [event('Settled', one, { kind: 0 }), event('Settled', one, { kind: 0, reasoningURI: 'ipfs://y' })],
      [
        ['settleMint', 1, []],
        ['settleMint', 1, [one]],
      ],
    ],
  ])('%s', (_, events, expected) => {
    expect(brief(...events)).toEqual(expected)
  })
})

describe('a citation on a chain', () => {
  let agents: Agents
  beforeAll(async () => {
    agents = await startAgents()
  })
  afterAll(() => agents.stop())

  test('of an Executor that is a contract: all but the call is compared, and that is said', async () => {
    const { as, address, market, store } = agents
    const { Actor } = compileMocks()
    const actor = await market.deployMock(Actor)
    const agent: Address = await agents.create({ executors: [actor] })
    await agents.fund('alice', agent, USDC)
    await sdk.requestMintAndWait(as.alice, { agent, amountAtomic: USDC })
    const { reasoningHash, reasoningURI } = await agents.reason(agent, 'settleMint', [address.alice])
    const args = [address.alice, reasoningHash, reasoningURI] as const
    await market.tell(Actor, actor, 'act', [
      agent,
      encodeFunctionData({ abi: agentAbi, functionName: 'settleMint', args }),
    ])

    const { citations, isComplete } = await sdk.listCitations(as.stranger, { agent, fromBlock: 0n })
    expect(citations).toMatchObject([{ number: 1n, action: 'settleMint', reasoningHash, reasoningURI }])
    expect(isComplete).toBe(true)
    const [citation] = citations
    if (citation === undefined) throw new Error('a record is cited')
    const at = { chainId: 11155111, agent, citation, resolver: createContentResolver({ store }) }
    const judged = await sdk.verifyCitation(as.stranger, at)
    expect(judged).toMatchObject({
      status: 'verified',
      from: 'store',
      findings: [],
      verdict: { anchored: true, bound: false },
    })
    expect(judged.verdict?.notChecked.map(({ check }) => check)).toEqual(['callHash', 'nonce'])
    expect(await sdk.verifyCitation(as.stranger, { ...at, chainId: 1 })).toMatchObject({
      status: 'refused',
      verdict: { findings: [{ code: 'binding.chain-id' }] },
    })
    expect(await sdk.verifyCitation(as.stranger, { ...at, resolver: createContentResolver({}) })).toMatchObject({
      status: 'unavailable',
      findings: [{ code: 'record.unavailable' }],
    })
    const under = { ...citation, reasoningURI: 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG' }
    expect(await sdk.verifyCitation(as.stranger, { ...at, citation: under })).toMatchObject({
      findings: [{ code: 'record.unverifiable' }],
    })
  })
})
