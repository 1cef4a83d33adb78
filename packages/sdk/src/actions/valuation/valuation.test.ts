import { keccak256, toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, startAgents, USDC } from '../../../test/agents.ts'
import { compileMocks } from '../../../test/compile-mocks.ts'
import * as sdk from '../../index.ts'

const mocks = compileMocks()
const evidenceHash = keccak256(toHex('a report'))
let agents: Agents
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())

describe('an attested value', () => {
  test('is proposed by one and accepted by another, in a corridor; beyond it the Owner confirms', async () => {
    const { as, address, token } = agents
    const agent = await agents.create()
    const { address: valuation } = await sdk.deployAttestedValuation(as.owner, as.owner, {
      ...{ agent, proposer: address.alice, accepter: address.bob },
      ...{ corridorBpsPerDay: 1_000_000, floorAtomic: 10n * USDC, maxAgeSec: 86_400 },
    })
    const target = { valuation }
    expect(await sdk.getAttestedValuation(as.stranger, target)).toMatchObject({
      ...{ asset: token, agent, proposer: address.alice, accepter: address.bob, corridorBpsPerDay: 1_000_000 },
      ...{ floorAtomic: 10n * USDC, maxAgeSec: 86_400, valueAtomic: 0n, proposal: undefined },
    })
    expect(await sdk.getValuationAsset(as.stranger, target)).toBe(token)
    const proposal = { valueAtomic: 5_000n, evidenceHash }
    await expect(sdk.proposeValue(as.bob, { ...target, ...proposal })).rejects.toMatchObject({ errorName: 'NotParty' })
    await expect(
      sdk.proposeValue(as.alice, { ...target, valueAtomic: 1n, evidenceHash: zeroHash }),
    ).rejects.toMatchObject({ errorName: 'ZeroEvidence' })
    await sdk.proposeValueAndWait(as.alice, { ...target, ...proposal })
    expect((await sdk.getAttestedValuation(as.stranger, target)).proposal).toEqual(proposal)
    await agents.market.passTime(60n)
    const swapped = { ...target, valueAtomic: 5_001n, evidenceHash }
    await expect(sdk.acceptValue(as.bob, swapped)).rejects.toMatchObject({ errorName: 'NoProposal' })
    const accepted = await sdk.acceptValueAndWait(as.bob, { ...target, ...proposal })
    expect(accepted.event.args).toEqual({ value: 5_000n, evidenceHash, by: address.bob })

    const leap = { valueAtomic: 10n ** 12n, evidenceHash }
    await sdk.proposeValueAndWait(as.alice, { ...target, ...leap })
    await expect(sdk.acceptValue(as.bob, { ...target, ...leap })).rejects.toMatchObject({
      errorName: 'ValueOutsideCorridor',
    })
    await sdk.confirmValueAndWait(as.owner, { ...target, ...leap })
    expect(await sdk.getValuation(as.stranger, { ...target, agent })).toEqual({
      ...{ assetsAtomic: 10n ** 12n, isFresh: true },
    })
    await sdk.addValuationAndWait(as.owner, { agent, valuation })
    await agents.market.passTime(86_401n)
    expect((await sdk.getAgentBooks(as.stranger, { agent })).valuations).toEqual([
      { valuation, state: 'stale', assetsAtomic: 10n ** 12n },
    ])
    const events = await sdk.listValueAttested(as.stranger, { ...target, fromBlock: 0n })
    expect(events.events).toHaveLength(2)
    expect((await sdk.listValueProposed(as.stranger, { ...target, fromBlock: 0n })).events).toHaveLength(2)
  })

  test('is not attested by one alone', async () => {
    const { as, address } = agents
    const agent = await agents.create()
    const terms = { agent, corridorBpsPerDay: 1, floorAtomic: 0n, maxAgeSec: 1 }
    await expect(
      sdk.deployAttestedValuation(as.owner, as.owner, { ...terms, proposer: address.bob, accepter: address.bob }),
    ).rejects.toMatchObject({ errorName: 'SameParty' })
  })
})

describe('the position in a vault', () => {
  test('follows the price by checkpoints, and a jump makes it stale', async () => {
    const { as, market, token } = agents
    const vault = await market.deployMock(mocks.TestVault, [token])
    await market.tell(mocks.TestToken, token, 'mint', [vault, 1_000n * USDC])
    const { address: valuation } = await sdk.deployVaultValuation(as.owner, as.owner, {
      ...{ vault, corridorBpsPerDay: 10_000 },
    })
    const before = await sdk.getVaultValuation(as.stranger, { valuation })
    expect(before).toMatchObject({ asset: token, vault, unitAtomic: 10n ** 18n, corridorBpsPerDay: 10_000 })
    expect((await sdk.pokeValuationAndWait(as.stranger, { valuation })).event).toBeUndefined()
    await market.passTime(86_400n)
    await market.tell(mocks.TestToken, token, 'mint', [vault, 10n * USDC])
    const poked = await sdk.pokeValuationAndWait(as.stranger, { valuation })
    expect(poked.event?.args.price).toBeGreaterThan(before.checkpointAtomic)
    await market.tell(mocks.TestToken, token, 'mint', [vault, 100_000n * USDC])
    await expect(sdk.pokeValuation(as.stranger, { valuation })).rejects.toMatchObject({
      errorName: 'PriceOutsideCorridor',
    })
    const { events } = await sdk.listCheckpoint(as.stranger, { valuation, fromBlock: 0n })
    expect(events.map(({ args }) => args.price)).toContain(before.checkpointAtomic)
  })

  test('that gives no answer is told as such, and the rate is not known then', async () => {
    const { as, market, token } = agents
    const vault = await market.deployMock(mocks.TestVault, [token])
    const { address: valuation } = await sdk.deployVaultValuation(as.owner, as.owner, {
      ...{ vault, corridorBpsPerDay: 1 },
    })
    const agent = await agents.create()
    await sdk.addValuationAndWait(as.owner, { agent, valuation })
    for (const code of [
      '0xfe', // fails
      '0x5b5f56', // never ends
      '0x62009c405b600190038060045760015f52600160205260405ff3', // answers with a million gas
      '0x60205ff3', // answers half
      `0x7f${(2n ** 160n).toString(16).padStart(64, '0')}5f52600160205260405ff3`, // no amount of any token
      `0x60015f52600260205260405ff3`, // fresh is neither yes nor no
    ] as const) {
      await market.setCode(valuation, code)
      const books = await sdk.getAgentBooks(as.stranger, { agent })
      expect(books.valuations, code).toEqual([{ valuation, state: 'unreadable' }])
      expect(books.rate, code).toBeUndefined()
      expect(sdk.quoteSettlement({ books, kind: 'mint', pendingAtomic: USDC })).toEqual({ outcome: 'no-price' })
    }
    await market.setCode(valuation, `0x7f${(2n ** 160n - 1n).toString(16).padStart(64, '0')}5f52600160205260405ff3`)
    const most = await sdk.getAgentBooks(as.stranger, { agent })
    expect(most.valuations).toEqual([{ valuation, state: 'fresh', assetsAtomic: 2n ** 160n - 1n }])
    expect(most.rate).toBeDefined()
  })
})
