import { agentAbi, scopeAbi } from '@oikos/core/abi'
import {
  comparePolicies,
  compilePolicy,
  decompilePolicy,
  type GovernanceStep,
  judgeCall,
  KEEP_DELAY,
  type Policy,
  SCOPE_VERDICTS,
  type ScopeState,
} from '@oikos/core/scope-policy'
import fc from 'fast-check'
import { type Address, type Hex, keccak256, toHex, zeroAddress } from 'viem'
import { readContract, waitForTransactionReceipt, writeContract } from 'viem/actions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aimCall, callFrom, PLACES, policy, policyPair, type RandomCall } from '../../core/test/policy-arbitrary.ts'
import * as sdk from '../src/index.ts'
import { type Agents, anyRule, startAgents } from './agents.ts'
import { rpc } from './market.ts'

/** The TypeScript twin of the Scope, held to the contract over random policies, calls, uses and times. */
const seed = Number(process.env['FUZZ_SEED'] ?? 8406)
const CODE = '0x6001'
const [coded = '0x', token = '0x', other = '0x', stand = '0x'] = PLACES

let agents: Agents
beforeAll(async () => {
  agents = await startAgents()
  await agents.market.setCode(coded, CODE)
})
afterAll(() => agents.stop())

/** A policy that can be a birth's: a real code hash where one is pinned and the dice say so, the delay within bounds. */
function asFirst(made: Policy): Policy {
  const rules = made.rules.map((rule) => ({
    ...rule,
    codeHash:
      /^0x0{64}$/.test(rule.codeHash) || Number(rule.codeHash.slice(-1)) % 2 === 0 ? rule.codeHash : keccak256(CODE),
  }))
  return { ...made, rules, delaySec: made.delaySec === KEEP_DELAY ? 60 : made.delaySec }
}

async function stateOf(agent: Address): Promise<ScopeState> {
  const boundary = await sdk.getBoundary(agents.as.stranger, { agent, scope: agents.scope, fromBlock: 0n })
  expect(boundary.isComplete).toBe(true)
  return boundary.state
}

/** The Agent's own address in the place of one of the random ones, so that SelfIs can hold. */
function meeting(call: RandomCall, agent: Address): RandomCall {
  return { ...call, data: call.data.replaceAll(stand.slice(2), agent.slice(2).toLowerCase()) as Hex }
}

/** What the contract says now, and what the twin says from what the contract holds. */
async function compareVerdicts(agent: Address, state: ScopeState, call: RandomCall): Promise<string> {
  const { scope, as, market } = agents
  const { target, value, data, tokenOut } = call
  const args = [agent, target, value, data, token, tokenOut] as const
  const answer = await readContract(as.stranger, { abi: scopeAbi, address: scope, functionName: 'verdict', args })
  const code = target === coded ? keccak256(CODE) : (`0x${'0'.repeat(64)}` as const)
  const nowSec = await market.now()
  const { verdict } = judgeCall(state, { agent, target, value, data, token, tokenOut, nowSec, targetCodeHash: code })
  expect(verdict).toBe(SCOPE_VERDICTS[answer])
  return verdict
}

/** Lets the Agent itself consume, as its execute does. */
async function consume(agent: Address, { target, value, data, tokenOut }: RandomCall): Promise<void> {
  const { as, scope } = agents
  await rpc(as.stranger, 'anvil_impersonateAccount', [agent])
  await rpc(as.stranger, 'anvil_setBalance', [agent, toHex(10n ** 20n)])
  const args = [target, value, data, token, tokenOut] as const
  const call = { abi: scopeAbi, address: scope, functionName: 'consume', args, account: agent, chain: null } as const
  const hash = await writeContract(as.stranger, call as never)
  await waitForTransactionReceipt(as.stranger, { hash })
}

test('§6.6.7: a dry run gives the verdict of the contract, before and after use, at any time', async () => {
  const seen = new Map<string, number>()
  const calls = fc.array(fc.tuple(callFrom(0n), fc.nat(), fc.bigInt({ min: 0n, max: 40n })), {
    minLength: 12,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(policy, calls, async (made, attempts) => {
      const first = asFirst(made)
      const agent = await agents.create({ scope: first, scopeDelaySec: first.delaySec })
      let state = await stateOf(agent)
      for (const [random, pick, wait] of attempts) {
        const call = meeting(aimCall(random, first, pick), agent)
        await agents.market.passTime(wait)
        const verdict = await compareVerdicts(agent, state, call)
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1)
        if (verdict !== 'Allowed') continue
        await consume(agent, call)
        state = await stateOf(agent)
      }
    }),
    { seed, numRuns: 25, endOnFailure: true },
  )
  // a test that only ever hears one answer would show nothing
  expect([...seen.keys()].length).toBeGreaterThanOrEqual(7)
  expect(seen.get('Allowed')).toBeGreaterThan(10)
}, 300_000)

/** One rule and caps of a few units, so that buckets fill, trickle and run out. */
const small = fc.bigInt({ min: 0n, max: 40n })
const bucketPolicy: fc.Arbitrary<Policy> = fc
  .record({
    caps: fc.array(
      fc.record({
        limit: small,
        periodSec: fc.nat({ max: 60 }),
        lifetime: fc.oneof(fc.constant(2n ** 256n - 1n), small),
      }),
      {
        minLength: 3,
        maxLength: 3,
      },
    ),
    spendAsset: fc.constantFrom(token, other),
    callLimit: fc.nat({ max: 4 }),
    callPeriodSec: fc.nat({ max: 60 }),
  })
  .map(({ caps, spendAsset, callLimit, callPeriodSec }) => ({
    rules: [
      anyRule({
        ...{ target: coded, selector: '0x12345678', maxValue: 2n ** 128n - 1n, maxTokenOut: 2n ** 256n - 1n },
        ...{ spendAsset, callLimit, callPeriodSec: callLimit === 0 ? 0 : callPeriodSec },
      }),
    ],
    caps: caps.map((cap, index) => ({ ...cap, asset: [token, other, zeroAddress][index] ?? token })),
    ...{ members: [], delaySec: 0 },
  }))

test('a dry run follows the buckets of the contract as they fill, trickle and run out', async () => {
  const seen = new Map<string, number>()
  const use = fc.tuple(small, small, small, fc.bigInt({ min: 0n, max: 15n }))
  await fc.assert(
    fc.asyncProperty(bucketPolicy, fc.array(use, { minLength: 15, maxLength: 15 }), async (made, uses) => {
      const agent = await agents.create({ scope: made, scopeDelaySec: 0 })
      let state = await stateOf(agent)
      for (const [value, tokenOut, spent, wait] of uses) {
        await agents.market.passTime(wait)
        const data: Hex = `0x12345678${spent.toString(16).padStart(64, '0')}`
        const call = {
          target: coded,
          value: value % 3n,
          tokenOut: tokenOut % 2n === 0n ? 0n : tokenOut,
          data,
          nowSec: 0n,
        }
        const verdict = await compareVerdicts(agent, state, call)
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1)
        if (verdict !== 'Allowed') continue
        await consume(agent, call)
        state = await stateOf(agent)
      }
    }),
    { seed, numRuns: 25, endOnFailure: true },
  )
  for (const verdict of ['Allowed', 'CapExceeded', 'LifetimeExceeded'] as const)
    expect(seen.get(verdict) ?? 0, verdict).toBeGreaterThan(10)
}, 300_000)

async function take(agent: Address, step: GovernanceStep): Promise<void> {
  const { scope, as } = agents
  const at = { agent, scope }
  switch (step.call) {
    case 'removeAllRules':
      await sdk.removeAllRulesAndWait(as.guardian, at)
      break
    case 'removeRule':
      await sdk.removeRuleAndWait(as.guardian, { ...at, key: step.key })
      break
    case 'expireRule':
      await sdk.expireRuleAndWait(as.guardian, { ...at, key: step.key, expiresAtSec: step.expiresAt })
      break
    case 'lowerCap':
      await sdk.lowerCapAndWait(as.guardian, {
        ...{ ...at, key: step.key, limitAtomic: step.limit, lifetimeLeftAtomic: step.lifetimeLeft },
      })
      break
    case 'removeMember':
      await sdk.removeMemberAndWait(as.guardian, { ...at, set: step.set, member: step.member })
      break
    default:
      step satisfies never
  }
}

test('§6.6.8: the steps of a diff are what the guardian may do at once, and its later change is what the Owner proposes', async () => {
  let [steps, changes] = [0, 0]
  await fc.assert(
    fc.asyncProperty(policyPair, async ([made, madeTo]) => {
      const [from, to] = [asFirst(made), asFirst(madeTo)]
      const agent = await agents.create({ scope: from, scopeDelaySec: from.delaySec })
      const diff = comparePolicies(await stateOf(agent), to)
      // in the very second of the birth, lowering a cap is estimated without the write of its clock
      await agents.market.passTime(1n)
      for (const step of diff.steps) await take(agent, step)
      steps += diff.steps.length
      if (diff.later !== undefined) {
        changes += 1
        const { scope, as } = agents
        const change = { agent, scope, policy: diff.later }
        await expect(sdk.proposePolicy(as.guardian, change)).rejects.toMatchObject({ errorName: 'NotOwner' })
        await sdk.proposePolicyAndWait(as.owner, change)
        await agents.market.passTime(BigInt(diff.delaySec))
        await sdk.enactPolicyAndWait(as.owner, change)
      }
      const reached = comparePolicies(await stateOf(agent), to)
      expect(reached.changes).toEqual([])
    }),
    { seed, numRuns: 20, endOnFailure: true },
  )
  expect(steps).toBeGreaterThan(20)
  expect(changes).toBeGreaterThan(5)
}, 300_000)

test('a document stays what is in force after its caps were lowered and used, in any order', async () => {
  const make = (limit: bigint, lifetime: bigint): Policy => ({
    rules: [anyRule({ target: coded, selector: '0x12345678', maxTokenOut: 2n ** 256n - 1n })],
    caps: [{ asset: token, limit, periodSec: 60, lifetime }],
    ...{ members: [], delaySec: 0 },
  })
  const agent = await agents.create({ scope: make(50n, 500n), scopeDelaySec: 0 })
  const use = { target: coded, value: 0n, data: '0x12345678', nowSec: 0n } as const
  const wanted = [make(40n, 500n), make(30n, 400n), make(30n, 300n), make(20n, 250n)]
  let spent = 0n
  for (const next of wanted) {
    await consume(agent, { ...use, tokenOut: 20n })
    spent += 20n
    await agents.market.passTime(60n)
    const diff = comparePolicies(await stateOf(agent), next)
    expect(diff).toMatchObject({ later: undefined, changes: [{ of: 'cap', kind: 'tightened', when: 'now' }] })
    for (const step of diff.steps) await take(agent, step)
    const state = await stateOf(agent)
    expect(comparePolicies(state, next).changes).toEqual([])
    expect(state.caps[0]?.bucket.lifetimeLeft).toBe((next.caps[0]?.lifetime ?? 0n) - spent)
  }
})

test('a document becomes a boundary, and the boundary becomes the document again', async () => {
  const { as, address } = agents
  const signatures = ['deposit(uint256 assets, address receiver)', 'transfer(address to, uint256 amount)']
  const document = {
    schema: 'oikos-scope-policy/1',
    delay: '2 days',
    acceptToken: 'USDC',
    assets: { USDC: { address: agents.token, decimals: 6 } },
    contracts: { vault: agents.market.task },
    sets: { payees: { id: '1', members: [address.bob] } },
    rules: [
      {
        to: 'vault',
        call: signatures[0] ?? '',
        when: [{ parameter: 'receiver', is: 'the agent' }],
        perCall: { acceptToken: '50 USDC' },
        calls: { limit: 3, refill: '1 day' },
        until: '2099-01-31T12:00:00Z',
      },
      {
        to: 'USDC',
        call: signatures[1] ?? '',
        when: [{ parameter: 'to', in: 'payees' }],
        perCall: { acceptToken: '5 USDC' },
      },
    ],
    caps: [{ asset: 'USDC', limit: '60 USDC', refill: '7 days', lifetime: '1000 USDC' }],
  } as const
  const { policy: first, warnings } = compilePolicy(document)
  expect(warnings).toEqual([])
  const agent = await agents.create({ scope: first, scopeDelaySec: first.delaySec })
  const again = decompilePolicy(await stateOf(agent), {
    acceptToken: { symbol: 'USDC', decimals: 6, address: agents.token },
    contracts: document.contracts,
    sets: { payees: 1n },
    signatures,
  })
  expect(again).toEqual(document)

  // every cap that a tool sets is probed at the cap and one above
  const call = {
    target: agents.token,
    value: 0n,
    data: `0xa9059cbb${address.bob.slice(2).padStart(64, '0')}${'0'.repeat(64)}` as Hex,
    nowSec: 0n,
  }
  const state = await stateOf(agent)
  expect(await compareVerdicts(agent, state, { ...call, tokenOut: 5_000_000n })).toBe('Allowed')
  expect(await compareVerdicts(agent, state, { ...call, tokenOut: 5_000_001n })).toBe('TokenOutTooHigh')
  const owner = await readContract(as.stranger, { abi: agentAbi, address: agent, functionName: 'owner' })
  expect(owner).toBe(address.owner)
})
