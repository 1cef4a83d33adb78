import { REASONED_ACTIONS, verifyReasoning } from '@oikos/core/reasoning'
import type { Address, Client } from 'viem'
import { getTransaction, getTransactionCount } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, startAgents, USDC } from '../../../test/agents.ts'
import { createMemoryStore } from '../../../test/memory-store.ts'
import { storeReasoning } from '../../content/store-reasoning.ts'
import * as sdk from '../../index.ts'

let agents: Agents
let agent: Address
beforeAll(async () => {
  agents = await startAgents()
  agent = await agents.create()
  await agents.fund('alice', agent, 10n * USDC)
  await sdk.requestMintAndWait(agents.as.alice, { agent, amountAtomic: 10n * USDC })
})
afterAll(() => agents.stop())

const sentBy = (client: Client): Promise<number> =>
  getTransactionCount(client, { address: agents.address.executor, blockTag: 'pending' })

test('every action of the ABI that ends with a record can be reasoned', () => {
  const built = ['settleMint', 'settleRedeem', 'settleMintBatch', 'settleRedeemBatch', 'decline'] as const
  const all: readonly sdk.ReasonedAction[] = [...built, 'execute', 'executeWithAllowance']
  expect([...all].sort()).toEqual([...REASONED_ACTIONS].sort())
})

describe('a record that is not for this call', () => {
  test('is refused by name, and nothing is sent', async () => {
    const { as, address, reason } = agents
    const requester = address.alice
    const before = await sentBy(as.executor)
    const settle = (reasoning: sdk.StoredReasoning) => sdk.settleMint(as.executor, { agent, requester, reasoning })
    const other = await agents.create()
    const claims = { decision: 'For another chain.' }
    const elsewhere = sdk.buildActionReasoning({ chainId: 1, agent, action: 'settleMint', args: [requester], claims })
    for (const [field, reasoning] of [
      ['callHash', await reason(agent, 'settleMint', [address.bob])],
      ['action', await reason(agent, 'settleRedeem', [requester])],
      ['agent', await reason(other, 'settleMint', [requester])],
      ['chainId', await storeReasoning(createMemoryStore(), elsewhere)],
    ] as const) {
      await expect(settle(reasoning), field).rejects.toMatchObject({ name: 'ReasoningMismatchError', field })
    }
    expect(await sentBy(as.executor)).toBe(before)
  })
})

test('a store that loses the record keeps the transaction from being sent', async () => {
  const { as, address } = agents
  const before = await sentBy(as.executor)
  const forgetful = createMemoryStore({ get: async () => undefined })
  const settleWithRecord = async (): Promise<unknown> => {
    const built = sdk.buildActionReasoning({
      ...{ chainId: 11155111, agent, action: 'settleMint', args: [address.alice] },
      claims: { decision: 'It is lost on the way.' },
    })
    const reasoning = await storeReasoning(forgetful, built)
    return sdk.settleMint(as.executor, { agent, requester: address.alice, reasoning })
  }
  await expect(settleWithRecord()).rejects.toMatchObject({ name: 'ReasoningNotStoredError' })
  expect(await sentBy(as.executor)).toBe(before)
})

test('what the chain has leads back to the record, and the record to the very transaction', async () => {
  const { as, address, reason, store } = agents
  const reasoning = await reason(agent, 'settleMint', [address.alice])
  const { event, hash } = await sdk.settleMintAndWait(as.executor, { agent, requester: address.alice, reasoning })
  const { reasoningHash, reasoningURI } = event.args
  expect({ reasoningHash, reasoningURI }).toEqual({
    reasoningHash: reasoning.reasoningHash,
    reasoningURI: `ipfs://${reasoning.cid}`,
  })
  const bytes = await store.get(reasoning.cid, { maxBytes: 1_000_000 })
  const { input } = await getTransaction(as.stranger, { hash })
  expect(input).toContain(reasoningHash.slice(2))
  const { binding } = reasoning.record
  const verdict = verifyReasoning(bytes ?? new Uint8Array(), { hash: reasoningHash, uri: reasoningURI, binding })
  expect(verdict).toMatchObject({ ok: true, anchored: true, bound: true })
})
