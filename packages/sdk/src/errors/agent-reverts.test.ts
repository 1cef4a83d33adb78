import { type Address, parseEther, zeroAddress } from 'viem'
import { sendTransaction } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, anyRule, startAgents, USDC } from '../../test/agents.ts'
import { compileMocks } from '../../test/compile-mocks.ts'
import * as sdk from '../index.ts'

const mocks = compileMocks()
let agents: Agents
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())

/** The call is refused with this error, as a sentence and an advice; `says` must be in the sentence. */
async function refused(promise: Promise<unknown>, errorName: string, says = ''): Promise<sdk.ContractRevertedError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error, errorName).toBeInstanceOf(sdk.ContractRevertedError)
  if (!(error instanceof sdk.ContractRevertedError)) throw error
  expect(error.errorName).toBe(errorName)
  expect(error.shortMessage).toContain(says)
  expect(error.advice).toMatch(/\w/)
  return error
}

const settle = async (agent: Address, requester: Address, from = agents.as.executor): Promise<unknown> =>
  sdk.settleMint(from, {
    ...{ agent, requester, reasoning: await agents.reason(agent, 'settleMint', [requester]) },
    asset: { address: agents.token, symbol: 'USDC', decimals: 6, warnings: [] },
  })

describe('an Agent says why it refuses', () => {
  test('requests', async () => {
    const { as, address } = agents
    const agent = await agents.create()
    await agents.fund('alice', agent, 10n * USDC)
    await refused(sdk.requestMint(as.alice, { agent, amountAtomic: 0n }), 'ZeroAmount')
    await refused(sdk.requestMintAtMost(as.alice, { agent, amountAtomic: 1n, maxRate: 0n }), 'ZeroAmount')
    await refused(sdk.requestRedeem(as.alice, { agent, sharesAtomic: 1n }), 'ERC20InsufficientBalance', address.alice)
    await refused(sdk.setRequestLimit(as.alice, { agent, kind: 'mint', rate: 1n }), 'NothingPending')
    await refused(sdk.reclaim(as.alice, { agent }), 'NothingPending')
    await sdk.requestMintAndWait(as.alice, { agent, amountAtomic: 10n * USDC })
    const early = await refused(sdk.reclaim(as.alice, { agent }), 'HorizonNotReached', 'UTC')
    expect(early).toMatchObject({ retryable: true, retryAtSec: early.args['reclaimableAt'] })
    await refused(sdk.reclaimShares(as.alice, { agent }), 'NothingPending')
    await refused(sdk.claimFees(as.alice, { agent }), 'NothingOwed')
    const toItself = { agent, to: agent, sharesAtomic: 0n }
    await refused(sdk.transferShares(as.alice, toItself), 'ERC20InvalidReceiver', 'cannot receive')
  })

  test('settlements', async () => {
    const { as, address, market, token } = agents
    const agent = await agents.create({ minRequestAgeSec: 60, executors: [address.executor, address.alice] })
    await refused(settle(agent, address.bob, as.stranger), 'NotExecutor', address.stranger)
    await refused(settle(agent, address.bob), 'Unsettled', 'nothing is pending')
    await agents.fund('alice', agent, 10n * USDC)
    await sdk.requestMintAndWait(as.alice, { agent, amountAtomic: 10n * USDC })
    const young = await refused(settle(agent, address.alice), 'Unsettled', 'younger')
    expect(young.retryable).toBe(true)
    await refused(settle(agent, address.alice, as.alice), 'Unsettled', 'their own request')
    await market.passTime(60n)
    await market.tell(mocks.TestToken, token, 'burn', [agent, USDC])
    await refused(settle(agent, address.alice), 'ReserveBroken', '9 USDC')
    await market.tell(mocks.TestToken, token, 'mint', [agent, USDC])
    await sdk.pauseAgentAndWait(as.guardian, { agent })
    await refused(settle(agent, address.alice), 'AgentPaused')
    await refused(sdk.pauseAgent(as.guardian, { agent }), 'AgentPaused')
    await refused(sdk.renounceAgentOwnership(as.owner, { agent }), 'AgentPaused')
    await sdk.unpauseAgentAndWait(as.owner, { agent })
    await refused(sdk.unpauseAgent(as.owner, { agent }), 'NotPaused')
    const many = Array.from({ length: 129 }, () => address.alice)
    await refused(sdk.claimSharesBatch(as.bob, { agent, users: many }), 'ListTooLong', '129')
  })

  test('powers', async () => {
    const { as, address, market, token } = agents
    const agent = await agents.create({ corridorBpsPerDay: 1 })
    await refused(sdk.setAgentURI(as.bob, { agent, agentURI: 'x' }), 'OwnableUnauthorizedAccount', address.bob)
    await refused(sdk.acceptAgentOwnership(as.bob, { agent }), 'OwnableUnauthorizedAccount')
    await refused(sdk.pauseAgent(as.bob, { agent }), 'NotOwnerOrGuardian', address.bob)
    await refused(sdk.setAgentURI(as.owner, { agent, agentURI: 'x'.repeat(8_193) }), 'TextTooLong', '8193')
    await refused(sdk.setExecutor(as.owner, { agent, executor: zeroAddress, isEnabled: true }), 'ZeroAddress')
    await refused(sdk.lowerFees(as.owner, { agent, mintFeeBps: 1, redeemFeeBps: 0 }), 'FeeCannotRise')
    const guard = { agent, corridorBpsPerDay: 0, minRequestAgeSec: 8 * 86_400 }
    await refused(sdk.setAgentGuard(as.owner, guard), 'OutOfRange', 'minRequestAgeSec')
    await sdk.setAgentGuardianAndWait(as.owner, { agent, guardian: zeroAddress })
    await refused(sdk.renounceAgentOwnership(as.owner, { agent }), 'RateNeedsConfirmer')
    const unlisted = { agent, valuation: agents.scope }
    await refused(sdk.removeValuation(as.owner, unlisted), 'ValuationUnlisted', agents.scope)
    const otherToken = await market.deployMock(mocks.TestToken, ['EURX', 6])
    const vault = await market.deployMock(mocks.TestVault, [otherToken])
    const other = await sdk.deployVaultValuation(as.owner, as.owner, { vault, corridorBpsPerDay: 1 })
    await refused(sdk.addValuation(as.owner, { agent, valuation: other.address }), 'WrongValuationAsset', otherToken)
    const own = await market.deployMock(mocks.TestVault, [token])
    const { address: valuation } = await sdk.deployVaultValuation(as.owner, as.owner, {
      ...{ vault: own, corridorBpsPerDay: 1 },
    })
    await sdk.addValuationAndWait(as.owner, { agent, valuation })
    await refused(sdk.addValuation(as.owner, { agent, valuation }), 'ValuationListed')
    const free = await agents.create()
    await sdk.renounceAgentOwnershipAndWait(as.owner, { agent: free })
    await refused(sdk.pauseAgent(as.guardian, { agent: free }), 'OwnerIsGone')
  })

  test('execution', async () => {
    const { as, address, token } = agents
    const flood = await agents.market.deployMock(mocks.FloodingToken)
    const failing = await agents.market.deployMock(mocks.Failing)
    const agent = await agents.create({
      scope: {
        rules: [
          anyRule({ target: flood, selector: '0x12345678' }),
          anyRule({ target: failing, selector: '0x12345678' }),
          anyRule({ target: address.bob, plain: true, maxValue: 1n }),
        ],
        ...{ caps: [], members: [] },
      },
    })
    const execute = async (target: Address, valueWei: bigint, data: `0x${string}`, from = as.executor) =>
      sdk.execute(from, {
        ...{ agent, target, valueWei, data },
        reasoning: await agents.reason(agent, 'execute', [target, valueWei, data]),
      })
    await refused(execute(flood, 0n, '0x12345678', as.bob), 'NotExecutor')
    await refused(execute(agent, 0n, '0x12345678'), 'RefusedByConstruction', agent)
    await refused(execute(token, 0n, '0x095ea7b3'), 'RefusedByConstruction', '0x095ea7b3')
    await refused(execute(address.stranger, 0n, '0x'), 'OutOfScope', 'a plain payment')
    await sendTransaction(as.stranger, { to: agent, value: parseEther('1'), chain: null } as never)
    const high = await refused(execute(address.bob, 2n, '0x'), 'OutOfScope', 'more native currency')
    expect(high.args['verdict']).toBe(4)
    await refused(execute(flood, 0n, '0x12345678'), 'ReturnTooLarge', '1048576')
    // what a target reverts with comes through unchanged
    await refused(execute(failing, 0n, '0x12345678'), 'Unknown')
    const nothing = { target: flood, valueWei: 0n, data: '0x12345678', allowanceAtomic: 0n } as const
    const reasoning = await agents.reason(agent, 'executeWithAllowance', [flood, 0n, '0x12345678', 0n])
    await refused(sdk.executeWithAllowance(as.executor, { agent, ...nothing, reasoning }), 'ZeroAmount')
  })
})

test('a Scope says why it refuses a change', async () => {
  const { as, address, scope, token } = agents
  const policy = { rules: [anyRule({ target: address.bob, plain: true })], caps: [], members: [], delaySec: 60 }
  const agent = await agents.create({ scope: policy })
  const at = { agent, scope }
  await refused(sdk.proposePolicy(as.guardian, { ...at, policy }), 'NotOwner', address.guardian)
  await refused(sdk.removeAllRules(as.executor, at), 'NotOwnerOrGuardian', address.executor)
  await refused(sdk.enactPolicy(as.owner, { ...at, policy }), 'NotProposed')
  await sdk.proposePolicyAndWait(as.owner, { ...at, policy })
  await refused(sdk.proposePolicy(as.owner, { ...at, policy }), 'AlreadyProposed')
  const waiting = await refused(sdk.enactPolicy(as.owner, { ...at, policy }), 'NotReady')
  expect(waiting.retryAtSec).toBeGreaterThan(0n)
  await agents.market.passTime(3_600n + 15n * 86_400n)
  await refused(sdk.enactPolicy(as.owner, { ...at, policy }), 'Lapsed')
  const key = `0x${'1'.repeat(64)}` as const
  await refused(sdk.removeRule(as.guardian, { ...at, key }), 'NoSuchRule', key)
  const cap = { ...at, key, limitAtomic: 0n, lifetimeLeftAtomic: 0n }
  await refused(sdk.lowerCap(as.guardian, cap), 'NoSuchCap')
  await refused(sdk.withdrawPolicy(as.owner, { ...at, changeId: key }), 'NotProposed')
  const [rule] = await sdk.getRuleKeys(as.stranger, at)
  if (rule === undefined) throw new Error('no rule')
  await refused(sdk.expireRule(as.guardian, { ...at, key: rule, expiresAtSec: 0 }), 'NotTighter')
  const stranger = { scope, agent: token }
  await expect(sdk.proposePolicy(as.owner, { ...stranger, policy })).rejects.toBeInstanceOf(sdk.OikosError)
  const create = (changes: Partial<(typeof policy.rules)[number]>) =>
    agents.create({ scope: { ...policy, rules: [{ ...anyRule({ target: address.bob, plain: true }), ...changes }] } })
  await refused(create({ selector: '0x12345678' }), 'PlainRuleHasArguments')
  await refused(create({ callPeriodSec: 1 }), 'LimitWithoutBucket')
  const many = Array.from({ length: 65 }, (_, member) => ({ set: 1n, member: BigInt(member) }))
  await refused(agents.create({ scope: { ...policy, members: many } }), 'TooMany', '66')
})
