import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, startAgents } from '../../../test/agents.ts'
import { compileMocks } from '../../../test/compile-mocks.ts'
import * as sdk from '../../index.ts'

const mocks = compileMocks()
let agents: Agents
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())

/** The same numbers in every run, spread over many sizes. Source: xorshift. */
function sizes(seed: bigint): (most: bigint) => bigint {
  let state = seed
  const next = (): bigint => {
    state ^= (state << 13n) & (2n ** 64n - 1n)
    state ^= state >> 7n
    state ^= (state << 17n) & (2n ** 64n - 1n)
    return state
  }
  return (most) => 1n + ((next() % (10n ** (next() % BigInt(most.toString().length)) * 10n)) % most)
}

/** What the contract made of one request, told like a quote. */
async function settle(agent: `0x${string}`, kind: sdk.RequestKind): Promise<Record<string, unknown>> {
  const { as, address } = agents
  const requesters = [address.alice]
  const events =
    kind === 'mint'
      ? await sdk
          .settleMintBatchAndWait(as.executor, {
            ...{ agent, requesters, reasoning: await agents.reason(agent, 'settleMintBatch', [requesters]) },
          })
          .then(({ events }) => events)
      : await sdk
          .settleRedeemBatchAndWait(as.executor, {
            ...{ agent, requesters, reasoning: await agents.reason(agent, 'settleRedeemBatch', [requesters]) },
          })
          .then(({ events }) => events)
  for (const event of events) {
    if (event.eventName === 'SettlementSkipped') return { outcome: sdk.settlementOutcomeOf(event.args.outcome) }
    if (event.eventName === 'SettlementDetail') {
      return { outcome: 'settled', amountAtomic: event.args.produced, feeAtomic: event.args.fee, rate: event.args.rate }
    }
  }
  throw new Error('the batch says nothing')
}

describe.each([
  [0, '3', 7n, false],
  [2, '0.25', 11n, false],
  [6, '1.00', 13n, false],
  [6, '1.05', 17n, true],
  [18, '0.000001', 19n, false],
] as const)('with %i decimals at %s, a quote is what the contract settles', (decimals, initialPrice, seed, isFixed) => {
  test('over odd amounts, gifts, fees and limits', async () => {
    const { as, address, market } = agents
    const token = await market.deployMock(mocks.TestToken, ['T', decimals])
    const fees = { mintFeeBps: 37, redeemFeeBps: 499, recipient: address.bob }
    const agent = await agents.create({ acceptToken: token, initialPrice, fees, isFixedPrice: isFixed })
    await market.tell(mocks.TestToken, token, 'mint', [address.alice, 10n ** 30n])
    await sdk.approveAssetAndWait(as.alice, { token, spender: agent, amountAtomic: 10n ** 30n })
    const size = sizes(seed)
    const seen = new Set<string>()
    for (let round = 0; round < 12; round++) {
      const user = address.alice
      if (round % 3 === 2) await market.tell(mocks.TestToken, token, 'mint', [agent, size(10n ** 12n)])
      const books = await sdk.getAgentBooks(as.stranger, { agent })
      const limitRate = round % 4 === 3 ? (books.rate ?? 0n) + 1n : 0n
      const held = await sdk.getShareBalance(as.stranger, { agent, account: user })
      const kind = round % 2 === 1 && held > 0n ? 'redeem' : 'mint'
      if (kind === 'mint') await sdk.requestMintAndWait(as.alice, { agent, amountAtomic: size(10n ** 15n) })
      else await sdk.requestRedeemAndWait(as.alice, { agent, sharesAtomic: size(held) })
      if (limitRate !== 0n) await sdk.setRequestLimitAndWait(as.alice, { agent, kind, rate: limitRate })
      const { pendingAtomic } = await sdk.getAgentPosition(as.stranger, { agent, user, kind })
      const now = await sdk.getAgentBooks(as.stranger, { agent })
      const quote = sdk.quoteSettlement({ books: now, kind, pendingAtomic, limitRate })
      const { effectiveRate, ...comparable } = { effectiveRate: 0n, ...quote }
      expect(await settle(agent, kind), `round ${round}`).toEqual(comparable)
      seen.add(`${kind} ${quote.outcome}`)
      if (quote.outcome === 'settled') {
        const [paid, shares] =
          kind === 'mint' ? [pendingAtomic, quote.amountAtomic] : [quote.amountAtomic, pendingAtomic]
        if (kind === 'mint') expect(effectiveRate * shares).toBeGreaterThanOrEqual(paid * sdk.ONE_SHARE)
        else expect(effectiveRate * shares).toBeLessThanOrEqual(paid * sdk.ONE_SHARE)
      }
      if (quote.outcome !== 'settled') {
        await sdk.declineRequestAndWait(as.executor, {
          ...{ agent, requester: user, kind },
          reasoning: await agents.reason(agent, 'decline', [user, sdk.requestKindNumber(kind)]),
        })
      }
      await sdk.claimSharesAndWait(as.alice, { agent, user })
      await sdk.claimTokensAndWait(as.alice, { agent, user })
    }
    expect(seen).toContain('mint settled')
    expect(seen).toContain('redeem settled')
    expect([...seen].some((outcome) => outcome.includes('limit-breached'))).toBe(true)
  })
})

test.each(['mint', 'redeem'] as const)(
  'a limit of a %s at exactly its price is kept, one unit beyond is not',
  async (kind) => {
    const { as, address } = agents
    const fees = { mintFeeBps: 37, redeemFeeBps: 41, recipient: address.bob }
    const agent = await agents.create({ fees })
    await agents.invest('alice', agent, 1_000_003n)
    if (kind === 'mint') {
      await agents.fund('alice', agent, 777_777n)
      await sdk.requestMintAndWait(as.alice, { agent, amountAtomic: 777_777n })
    } else {
      await sdk.requestRedeemAndWait(as.alice, { agent, sharesAtomic: 10n ** 17n + 7n })
    }
    const user = address.alice
    const { pendingAtomic } = await sdk.getAgentPosition(as.stranger, { agent, user, kind })
    const books = await sdk.getAgentBooks(as.stranger, { agent })
    const free = sdk.quoteSettlement({ books, kind, pendingAtomic })
    if (free.outcome !== 'settled') throw new Error(free.outcome)
    const worse = free.effectiveRate + (kind === 'mint' ? -1n : 1n)
    for (const [rate, outcome] of [
      [worse, 'limit-breached'],
      [free.effectiveRate, 'settled'],
    ] as const) {
      await sdk.setRequestLimitAndWait(as.alice, { agent, kind, rate })
      expect(sdk.quoteSettlement({ books, kind, pendingAtomic, limitRate: rate }).outcome).toBe(outcome)
      expect(await settle(agent, kind)).toMatchObject({ outcome })
    }
  },
)
