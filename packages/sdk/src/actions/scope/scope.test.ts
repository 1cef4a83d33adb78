import { scopeAbi } from '@oikos/core/abi'
import { capKeyOf, comparePolicies, KEEP_DELAY, type Policy, ruleKeyOf, SCOPE_VERDICTS } from '@oikos/core/scope-policy'
import { encodeFunctionData, keccak256, maxUint256, parseAbi, toHex, zeroAddress } from 'viem'
import { getCode, readContract } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, anyRule, startAgents, USDC } from '../../../test/agents.ts'
import { expectAgentListings } from '../../../test/listings.ts'
import { rpc } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const TRANSFER = '0xa9059cbb'
const DAY = 86_400
let agents: Agents
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())

const transfer = (to: `0x${string}`, amount: bigint) =>
  encodeFunctionData({ abi: parseAbi(['function transfer(address to, uint256 amount)']), args: [to, amount] })

/** A boundary with one of everything: a counted, conditioned, pinned, charged rule; two caps; a set. */
async function firstPolicy(): Promise<Policy> {
  const { token, address, as } = agents
  const code = await getCode(as.stranger, { address: token })
  return {
    rules: [
      anyRule({
        ...{ target: token, selector: TRANSFER, maxTokenOut: 50n * USDC, codeHash: keccak256(code ?? '0x') },
        ...{ callLimit: 3, callPeriodSec: DAY, spendAsset: token, spendOffset: 32 },
        conditions: [{ offset: 0, op: 6, value: 1n }],
      }),
      anyRule({ target: address.bob, plain: true, maxValue: 5n }),
    ],
    caps: [
      { asset: token, limit: 60n * USDC, periodSec: DAY, lifetime: 500n * USDC },
      { asset: zeroAddress, limit: 9n, periodSec: 0, lifetime: maxUint256 },
    ],
    members: [
      { set: 1n, member: BigInt(address.alice) },
      { set: 1n, member: BigInt(address.bob) },
    ],
    delaySec: 3_600,
  }
}

async function bounded(): Promise<{ agent: `0x${string}`; scope: `0x${string}`; policy: Policy }> {
  const policy = await firstPolicy()
  const agent = await agents.create({ scope: policy })
  return { agent, scope: agents.scope, policy }
}

describe('the boundary of an Agent', () => {
  test('is read back as it was set, and its history is whole', async () => {
    const { as } = agents
    const { agent, scope, policy } = await bounded()
    const boundary = await sdk.getBoundary(as.stranger, { agent, scope, fromBlock: 0n })
    expect(boundary).toMatchObject({ agent, scope, isComplete: true, pending: [] })
    expect(comparePolicies(boundary.state, policy).changes).toEqual([])
    expect(boundary.state.members).toEqual(policy.members)
    expect(boundary.revision).toBe((await sdk.getScopeConfig(as.stranger, { agent, scope })).revision)
    const [first] = policy.rules
    if (first === undefined) throw new Error('no rule')
    const key = ruleKeyOf(first)
    expect(await sdk.getRuleKeys(as.stranger, { agent, scope })).toContain(key)
    expect(await sdk.getScopeRule(as.stranger, { agent, scope, key })).toMatchObject({ callLimit: 3, spendOffset: 32 })
    const none = { agent, scope, key: `0x${'1'.repeat(64)}` } as const
    expect(await sdk.getScopeRule(as.stranger, none)).toBeUndefined()
    expect(await sdk.getScopeBucket(as.stranger, none)).toBeUndefined()
    const bounds = await sdk.getScopeBounds(as.stranger, { scope })
    expect(bounds).toEqual({
      ...{ factory: agents.factory, graceSec: 14n * 86_400n, maxDelaySec: 30 * DAY },
      ...{ maxRules: 64n, maxConditions: 12n, maxChangeItems: 64n },
    })
  })

  test('is loosened by a proposal after its delay, and a proposal can be withdrawn', async () => {
    const { as, market, address } = agents
    const { agent, scope } = await bounded()
    const policy: Policy = {
      rules: [anyRule({ target: address.alice, plain: true, maxValue: 7n })],
      ...{ caps: [], members: [], delaySec: KEEP_DELAY },
    }
    const changeId = sdk.changeIdOf(policy)
    const proposed = await sdk.proposePolicyAndWait(as.owner, { agent, scope, policy })
    expect(proposed.event.args).toMatchObject({ agent, changeId })
    const readyAt = await sdk.getPolicyReadyAt(as.stranger, { agent, scope, changeId })
    expect(readyAt).toBe((await market.now()) + 3_600n)
    const waiting = await sdk.getBoundary(as.stranger, { agent, scope, fromBlock: 0n })
    expect(waiting.pending).toMatchObject([{ changeId, readyAtSec: readyAt, state: 'waiting' }])
    expect(waiting.pending[0]?.change).toMatchObject({ rules: [{ maxValue: 7n }] })
    await expect(sdk.enactPolicy(as.owner, { agent, scope, policy })).rejects.toMatchObject({ errorName: 'NotReady' })

    const lapsesAt = readyAt + 14n * 86_400n
    const snapshot = await rpc(as.owner, 'evm_snapshot')
    for (const [atSec, state] of [
      [readyAt - 1n, 'waiting'],
      [readyAt, 'ready'],
      [lapsesAt, 'ready'],
      [lapsesAt + 1n, 'lapsed'],
    ] as const) {
      await rpc(as.owner, 'evm_setNextBlockTimestamp', [toHex(atSec)])
      await rpc(as.owner, 'evm_mine')
      const { pending } = await sdk.getBoundary(as.stranger, { agent, scope, fromBlock: 0n })
      expect(pending).toMatchObject([{ state, lapsesAtSec: lapsesAt }])
      const errorName = { waiting: 'NotReady', ready: undefined, lapsed: 'Lapsed' }[state]
      const enact = sdk.simulateEnactPolicy(as.owner, { agent, scope, policy })
      if (errorName === undefined) await enact
      else await expect(enact).rejects.toMatchObject({ errorName })
    }
    await rpc(as.owner, 'evm_revert', [snapshot])
    await market.passTime(3_600n)
    await sdk.enactPolicyAndWait(as.owner, { agent, scope, policy })
    const applied = await sdk.getBoundary(as.stranger, { agent, scope, fromBlock: 0n })
    expect(applied).toMatchObject({ isComplete: true, pending: [] })
    expect(applied.state.rules).toHaveLength(3)

    const other = { ...policy, delaySec: 60 }
    await sdk.proposePolicyAndWait(as.owner, { agent, scope, policy: other })
    await sdk.withdrawPolicyAndWait(as.guardian, { agent, scope, changeId: sdk.changeIdOf(other) })
    expect((await sdk.getBoundary(as.stranger, { agent, scope, fromBlock: 0n })).pending).toEqual([])
    await expectAgentListings(as.stranger, { agent, scope }, ['PolicyProposed', 'PolicyApplied', 'PolicyWithdrawn'])
  })

  test('is tightened at once by the guardian, in every way, and each step is in its history', async () => {
    const { as, address, token } = agents
    const { agent, scope, policy } = await bounded()
    const at = { agent, scope }
    const [first, second] = policy.rules.map(ruleKeyOf)
    if (first === undefined || second === undefined) throw new Error('no rules')
    const soon = Number(await agents.market.now()) + 10_000
    await sdk.expireRuleAndWait(as.guardian, { ...at, key: first, expiresAtSec: soon })
    await sdk.lowerCapAndWait(as.guardian, {
      ...{ ...at, key: capKeyOf(token), limitAtomic: 40n * USDC, lifetimeLeftAtomic: 100n * USDC },
    })
    const member = { set: 1n, member: BigInt(address.bob) }
    await sdk.removeMemberAndWait(as.guardian, { ...at, ...member })
    expect(await sdk.isScopeMember(as.stranger, { ...at, ...member })).toBe(false)
    await sdk.removeRuleAndWait(as.guardian, { ...at, key: second })
    const tightened = await sdk.getBoundary(as.stranger, { ...at, fromBlock: 0n })
    expect(tightened.isComplete).toBe(true)
    expect(tightened.state.rules).toMatchObject([{ expiresAt: soon }])
    expect(tightened.state.caps.find(({ asset }) => asset === token)).toMatchObject({
      ...{ limit: 40n * USDC, lifetime: 100n * USDC, bucket: { lifetimeLeft: 100n * USDC } },
    })
    expect(tightened.state.members).toEqual([{ set: 1n, member: BigInt(address.alice) }])
    await sdk.removeAllRulesAndWait(as.guardian, at)
    const closed = await sdk.getBoundary(as.stranger, { ...at, fromBlock: 0n })
    expect(closed).toMatchObject({ isComplete: true, state: { rules: [] } })
    await expectAgentListings(as.stranger, at, [
      ...(['RuleExpirySet', 'CapLowered', 'MemberRemoved', 'RuleRemoved', 'RulesRemoved'] as const),
    ])
  })

  test('whose events were left out is not called whole', async () => {
    const { as } = agents
    const { agent, scope } = await bounded()
    const { number } = await sdk.getBlockMoment(as.stranger)
    const late = await sdk.getBoundary(as.stranger, { agent, scope, fromBlock: number + 1n })
    expect(late.isComplete).toBe(false)
    expect(late.state.rules).toHaveLength(2)
  })
})

test('names of verdicts and keys are those of the contract', async () => {
  const { as, scope, token, address } = agents
  const key = await readContract(as.stranger, { abi: scopeAbi, address: scope, functionName: 'capKey', args: [token] })
  expect(capKeyOf(token)).toBe(key)
  const call = { abi: scopeAbi, address: scope, functionName: 'ruleKey' } as const
  for (const rule of [
    anyRule({ target: address.bob, plain: true }),
    anyRule({ target: token, selector: TRANSFER }),
  ] as const) {
    const { target, selector, plain } = rule
    expect(ruleKeyOf(rule)).toBe(await readContract(as.stranger, { ...call, args: [target, selector, plain] }))
  }
  for (const verdict of SCOPE_VERDICTS) expect(sdk.scopeVerdictReasons[verdict]).toMatch(/^[a-z]/)
  expect(sdk.scopeVerdictOf(1)).toBe('NoRule')
  expect(sdk.scopeVerdictOf(SCOPE_VERDICTS.length)).toBeUndefined()
})

describe('a dry run', () => {
  test('agrees with the Agent about every call, and says why not', async () => {
    const { as, address, token, factory, market } = agents
    const { agent, scope } = await bounded()
    await agents.invest('alice', agent, 100n * USDC)
    await agents.fund('bob', agent, 30n * USDC)
    await sdk.requestMintAndWait(as.bob, { agent, amountAtomic: 30n * USDC })
    const cases: readonly (readonly [Partial<sdk.JudgeAgentCallParameters>, string])[] = [
      [{ target: token, data: transfer(address.alice, 50n * USDC) }, 'allowed'],
      [{ target: token, data: transfer(address.alice, 50n * USDC + 1n) }, 'TokenOutTooHigh'],
      [{ target: token, data: transfer(address.stranger, 1n) }, 'ConditionFailed'],
      [{ target: token, data: transfer(address.alice, 101n * USDC) }, 'transfer-beyond-free'],
      [{ target: token, data: `${transfer(address.alice, 1n)}00` }, 'accept-token-call'],
      [{ target: token, data: '0x095ea7b3' }, 'accept-token-call'],
      [{ target: token, data: '0x' }, 'payment-to-accept-token'],
      [{ target: token, data: transfer(address.alice, 1n), allowanceAtomic: 1n }, 'accept-token-call'],
      [{ target: agent, data: '0x' }, 'own-contract'],
      [{ target: scope, data: '0x12345678' }, 'own-contract'],
      [{ target: factory, data: '0x' }, 'own-contract'],
      [{ target: '0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24', data: '0x' }, 'own-contract'],
      [{ target: address.bob, valueWei: 6n, data: '0x' }, 'value-beyond-balance'],
      [{ target: address.bob, data: '0x' }, 'allowed'],
      [{ target: address.bob, data: '0x12' }, 'no-selector'],
      [{ target: address.bob, data: '0x12345678' }, 'no-code'],
      [{ target: address.bob, data: '0x', allowanceAtomic: 1n }, 'allowance-without-call'],
      [{ target: address.stranger, data: '0x' }, 'NoRule'],
      [{ target: market.task, data: '0x12345678', allowanceAtomic: 101n * USDC }, 'allowance-beyond-free'],
      [{ target: market.task, data: '0x12345678', allowanceAtomic: 5n }, 'NoRule'],
    ]
    for (const [call, expected] of cases) {
      const parameters = { agent, target: zeroAddress, valueWei: 0n, data: '0x', ...call } as const
      const judgment = await sdk.judgeAgentCall(as.stranger, parameters)
      expect(judgment.isAllowed ? 'allowed' : judgment.code, JSON.stringify(call, replacer)).toBe(expected)
      if (!judgment.isAllowed) expect(judgment.reason).toMatch(/^[A-Z].*\.$/)
    }

    // what it foretells happens, and what was used is charged
    const data = transfer(address.alice, 50n * USDC)
    const reasoning = await agents.reason(agent, 'execute', [token, 0n, data])
    await sdk.executeAndWait(as.executor, { agent, target: token, valueWei: 0n, data, reasoning })
    const again = { agent, target: token, valueWei: 0n, data: transfer(address.alice, 20n * USDC) } as const
    expect(await sdk.judgeAgentCall(as.stranger, again)).toMatchObject({ refusedBy: 'scope', code: 'CapExceeded' })
    const bucket = await sdk.getScopeBucket(as.stranger, { agent, scope, key: capKeyOf(token) })
    expect(bucket).toMatchObject({ used: 50n * USDC, lifetimeLeft: 450n * USDC })
    await market.passTime(86_400n)
    expect(await sdk.judgeAgentCall(as.stranger, again)).toMatchObject({ isAllowed: true })

    await sdk.pauseAgentAndWait(as.guardian, { agent })
    expect(await sdk.judgeAgentCall(as.stranger, again)).toMatchObject({ refusedBy: 'pause', code: 'paused' })
  })
})

const replacer = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
