import { capKeyOf } from '@oikos/core/scope-policy'
import { createClient, http, maxUint256, zeroAddress } from 'viem'
import { getCode } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, anyAgent, anyRule, startAgents, USDC } from '../../test/agents.ts'
import { compileMocks } from '../../test/compile-mocks.ts'
import * as sdk from '../index.ts'

const mocks = compileMocks()
let agents: Agents
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())

const describedBy = (changes: Partial<sdk.AgentDescription> = {}): sdk.PlanAgentParameters => ({
  ...anyAgent,
  ...{ factory: agents.factory, acceptToken: agents.token, owner: agents.address.owner },
  ...changes,
})

describe('a birth', () => {
  test('has an address that is known before, with the code and everything that was described', async () => {
    const { as, address, factory, scope, token } = agents
    const description = describedBy({
      ...{ initialPrice: '1.25', isFixedPrice: true, reclaimHorizonSec: 7_200, name: 'Küche 検査', symbol: 'KÜ' },
      ...{ guardian: address.guardian, executors: [address.executor, address.bob], agentURI: 'ipfs://x' },
      fees: { mintFeeBps: 1, redeemFeeBps: 2, recipient: address.stranger },
      ...{ minRequestAgeSec: 60, corridorBpsPerDay: 100, scopeDelaySec: 86_400 },
      scope: {
        rules: [anyRule({ target: address.bob, plain: true, maxValue: 1n })],
        caps: [{ asset: token, limit: USDC, periodSec: 60, lifetime: maxUint256 }],
        members: [{ set: 7n, member: 9n }],
      },
      salt: `0x${'5'.repeat(64)}`,
    })
    const plan = await sdk.planAgent(as.stranger, description)
    expect(await getCode(as.stranger, { address: plan.agent })).toBeUndefined()
    expect(plan).toMatchObject({ birth: { initialRate: 1_250_000n }, asset: { decimals: 6, symbol: 'USDC' } })
    const sent: string[] = []
    // whoever sends it makes no difference
    const created = await sdk.createAgent(as.stranger, as.bob, { ...description, onSent: (hash) => sent.push(hash) })
    expect(created.agent).toBe(plan.agent)
    expect(sent).toEqual([created.hash])
    expect(created.event.args).toMatchObject({ agent: plan.agent, owner: address.owner, initialRate: 1_250_000n })
    expect(await sdk.checkAgent(as.stranger, plan)).toEqual({ ok: true, findings: [] })
    const { agent } = plan
    expect(await sdk.getAgent(as.stranger, { agent })).toMatchObject({
      ...{ name: 'Küche 検査', symbol: 'KÜ', agentURI: 'ipfs://x', owner: address.owner, guardian: address.guardian },
      ...{ factory, scope, scopeDelaySec: 86_400, reclaimHorizonSec: 7_200n },
      books: {
        ...{ initialRate: 1_250_000n, isFixedPrice: true, rate: 1_250_000n },
        fees: { mintFeeBps: 1, redeemFeeBps: 2, recipient: address.stranger },
        guard: { corridorBpsPerDay: 100, minRequestAgeSec: 60 },
      },
    })
    for (const account of [address.executor, address.bob]) {
      expect(await sdk.isAgentExecutor(as.stranger, { agent, account })).toBe(true)
    }
    const bucket = await sdk.getScopeBucket(as.stranger, { agent, scope, key: capKeyOf(token) })
    expect(bucket).toMatchObject({ limit: USDC, periodSec: 60 })
    expect(await sdk.isScopeMember(as.stranger, { agent, scope, set: 7n, member: 9n })).toBe(true)

    // the same birth a second time has nowhere to go; another salt has
    await expect(sdk.createAgent(as.stranger, as.bob, description)).rejects.toMatchObject({
      errorName: 'FailedDeployment',
    })
    const second = await sdk.createAgent(as.stranger, as.bob, { ...description, salt: `0x${'6'.repeat(64)}` })
    expect(second.agent).not.toBe(agent)
  })

  test.each([
    [0, '3', 3n],
    [0, '1', 1n],
    [2, '0.01', 1n],
    [6, '1.00', 1_000_000n],
    [6, '0.000001', 1n],
    [8, '12345.678', 1_234_567_800_000n],
    [18, '1', 10n ** 18n],
    [24, '1.000000000000000000000001', 10n ** 24n + 1n],
  ])('with %i decimals and a price of %s has exactly that rate', async (decimals, initialPrice, rate) => {
    const token = await agents.market.deployMock(mocks.TestToken, ['T', decimals])
    const agent = await agents.create({ acceptToken: token, initialPrice })
    expect(await sdk.getExchangeRate(agents.as.stranger, { agent })).toBe(rate)
  })

  test.each([
    ['0.0000001', 'excess precision'],
    ['1.0000000', 'trailing zeros beyond the token'],
    ['0', 'nothing'],
    ['0.00', 'nothing'],
    ['-1', 'a sign'],
    ['1e6', 'an exponent'],
    ['1,5', 'a comma'],
    ['1.', 'half a number'],
    ['1 USDC', 'a unit'],
    ['', 'no text'],
    ['1000000000000000000000000.000001', 'more than 1e30 a share'],
  ])('a price of %j is refused: %s', async (initialPrice) => {
    await expect(sdk.planAgent(agents.as.stranger, describedBy({ initialPrice }))).rejects.toMatchObject({
      ...{ name: 'BirthError', member: 'initialPrice' },
    })
  })

  test('is refused where the token is none, and where the contract says no', async () => {
    const { as, address, factory } = agents
    const plan = (changes: Partial<sdk.AgentDescription>) => sdk.planAgent(as.stranger, describedBy(changes))
    for (const acceptToken of [address.bob, zeroAddress, factory]) {
      await expect(plan({ acceptToken })).rejects.toMatchObject({ name: 'BirthError', member: 'acceptToken' })
    }
    for (const scopeDelaySec of [-1, 0.5, 2 ** 40]) {
      await expect(plan({ scopeDelaySec })).rejects.toMatchObject({ member: 'scopeDelaySec' })
    }
    const create = (changes: Partial<sdk.AgentDescription>) => sdk.createAgent(as.bob, as.bob, describedBy(changes))
    for (const [changes, errorName] of [
      [{ reclaimHorizonSec: 3_599 }, 'OutOfRange'],
      [{ owner: zeroAddress }, 'ZeroAddress'],
      [{ fees: { mintFeeBps: 501, redeemFeeBps: 0, recipient: address.bob } }, 'OutOfRange'],
      [{ name: 'x'.repeat(65) }, 'TextTooLong'],
      [{ executors: Array.from({ length: 17 }, () => address.bob) }, 'ListTooLong'],
      [{ scopeDelaySec: 31 * 86_400 }, 'DelayTooLong'],
    ] as const) {
      await expect(create(changes), errorName).rejects.toMatchObject({ errorName })
    }
  })

  test('is refused without an account, and when something else is at the address', async () => {
    const { as, token, market } = agents
    const reader = createClient({ transport: http(market.chain.url) })
    await expect(sdk.createAgent(reader, reader, describedBy())).rejects.toMatchObject({ name: 'AccountMissingError' })
    const plan = await sdk.planAgent(as.stranger, describedBy({ salt: `0x${'9'.repeat(64)}` }))
    expect(await sdk.checkAgent(as.stranger, plan)).toMatchObject({ findings: [{ code: 'not-a-clone' }] })
    expect(await sdk.checkAgent(as.stranger, { ...plan, agent: token })).toMatchObject({ ok: false })
    await expect(sdk.assertBorn(as.stranger, plan, plan.agent)).rejects.toMatchObject({ name: 'DeployedCodeError' })
    await expect(sdk.assertBorn(as.stranger, plan, token)).rejects.toMatchObject({ address: token })
    const other = await agents.create()
    const { birth } = plan
    const renamed = { ...birth, name: 'Other', initialRate: 2n }
    const verdict = await sdk.checkAgent(as.stranger, { agent: other, factory: agents.factory, birth: renamed })
    expect(verdict.findings.map(({ code }) => code)).toEqual(['other-arguments', 'other-arguments'])
    const elsewhere = await startAgents(market)
    const foreign = await sdk.checkAgent(as.stranger, { agent: other, factory: elsewhere.factory })
    expect(foreign).toMatchObject({ findings: [{ code: 'other-implementation' }] })
  })
})

describe('the code of a factory', () => {
  test('is that of this package, with its Scope and its implementation', async () => {
    const { as, factory } = agents
    expect(await sdk.checkFactoryCode(as.stranger, { factory })).toBeUndefined()
  })

  test.each([
    ['the factory', 'factory'],
    ['its Scope', 'scope'],
    ['its implementation', 'implementation'],
  ] as const)('with one other byte in %s is found out', async (_, which) => {
    const { as, market } = agents
    const { factory, scope, implementation } = await sdk.deployAgentFactory(as.owner, as.owner)
    const address = { factory, scope, implementation }[which]
    const code = await getCode(as.stranger, { address })
    if (code === undefined) throw new Error('no code')
    // the last byte of the metadata changes nothing that runs
    const other = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}` as const
    await market.setCode(address, other as `0x${string}`)
    expect(await sdk.checkFactoryCode(as.stranger, { factory })).toContain('is not that of this version')
  })

  test('of something else is found out', async () => {
    const { as, token, address } = agents
    for (const factory of [token, address.bob]) {
      expect(await sdk.checkFactoryCode(as.stranger, { factory })).toContain('does not answer')
    }
  })
})
