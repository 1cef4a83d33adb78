import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentAbi } from '@oikos/core/abi'
import { getAgentPosition, listReasoned, listSettled, setExecutorAndWait, unpauseAgentAndWait } from '@oikos/sdk'
import { type Client, encodeFunctionData, type Hex, type LocalAccount, toHex } from 'viem'
import { getTransaction, sendTransaction } from 'viem/actions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Agents, startAgents } from '../../../sdk/test/agents.ts'
import { rpc } from '../../../sdk/test/market.ts'
import { chooseFirst } from '../../test/operator/doubles.ts'
import { type OperatorStage, startOperatorStage, USDC } from '../../test/operator/stage.ts'

let agents: Agents
let stage: OperatorStage
let folder: string
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())
beforeEach(async () => {
  stage = await startOperatorStage(agents)
  folder = mkdtempSync(join(tmpdir(), 'oikos-faults-'))
})
afterEach(async () => {
  await rpc(agents.as.owner, 'evm_setAutomine', [true])
  await stage.stop()
  rmSync(folder, { recursive: true, force: true })
})

const agentId = () => `11155111/${stage.agent.toLowerCase()}`
const newest = async () => (await stage.store.actions.listRecent(agentId(), 10))[0]
const settled = async () => (await listSettled(agents.as.owner, { agent: stage.agent, fromBlock: 0n })).events
const holdBlocks = () => rpc(agents.as.owner, 'evm_setAutomine', [false])
const mine = () => rpc(agents.as.owner, 'evm_mine')
const decisions = () => stage.store.notes.listDecisions(agentId(), { limit: 50, declined: true })

describe('a reorganisation', () => {
  test('that drops a mined settlement has it sent again as the same bytes', async () => {
    await stage.requestMint('alice', 50n)
    const operator = stage.operator({ finalityBlocks: 6n, resendAfterMs: 0n })
    expect(await operator.tick()).toMatchObject({ status: 'idle' })
    const before = await stage.store.actions.listRecent(agentId(), 10)
    expect(before.map(({ state }) => state)).toEqual(['mined', 'mined'])
    await rpc(agents.as.owner, 'anvil_reorg', [2, []])
    expect(await settled()).toEqual([])
    const again = await operator.tick()
    expect(again.done.map(({ state }) => state)).toEqual(['vanished', 'mined', 'vanished', 'mined'])
    const after = await stage.store.actions.listRecent(agentId(), 10)
    expect(after.map(({ hash, nonce }) => [hash, nonce])).toEqual(before.map(({ hash, nonce }) => [hash, nonce]))
    expect(await settled()).toHaveLength(1)
    for (let block = 0; block < 6; block += 1) await mine()
    expect(await operator.tick()).toMatchObject({ status: 'idle' })
    expect((await newest())?.state).toBe('final')
    expect((await listReasoned(agents.as.owner, { agent: stage.agent, fromBlock: 0n })).events).toHaveLength(1)
  })

  test('deeper than the finality brings a final action back too', async () => {
    await stage.requestMint('alice', 50n)
    const operator = stage.operator({ resendAfterMs: 0n, crankClaims: false })
    await operator.tick()
    await operator.tick()
    expect((await newest())?.state).toBe('final')
    await rpc(agents.as.owner, 'anvil_reorg', [1, []])
    expect(await settled()).toEqual([])
    expect(await operator.tick()).toMatchObject({ status: 'idle' })
    expect(await settled()).toHaveLength(1)
    expect(await stage.store.actions.listRecent(agentId(), 10)).toHaveLength(1)
  })
})

describe('an action that does not have its effect', () => {
  test('because the limit of a requester moved in between is explained and not repeated', async () => {
    await stage.requestMint('alice', 50n)
    await holdBlocks()
    const operator = stage.operator({ mineWaitMs: 50, resendAfterMs: 0n, crankClaims: false })
    expect(await operator.tick()).toMatchObject({ status: 'busy' })
    // a higher tip comes first in the block
    const limit = encodeFunctionData({ abi: agentAbi, functionName: 'setLimit', args: [0, 900_000n] })
    await callFirst(agents.as.alice, limit)
    await mine()
    await rpc(agents.as.owner, 'evm_setAutomine', [true])
    const report = await operator.tick()
    expect(report.status).toBe('idle')
    const action = await newest()
    expect(action?.outcome).toMatchObject({ code: 'skipped', detail: { skipped: [{ outcome: 'limit-breached' }] } })
    expect(action?.outcome?.text).toContain('the rate is worse than the limit')
    for (let pass = 0; pass < 3; pass += 1) await operator.tick()
    expect(await stage.store.actions.listRecent(agentId(), 10)).toHaveLength(1)
  })

  test('because the Agent was paused in between reverts, is explained, and is done when that is over', async () => {
    await stage.requestMint('alice', 50n)
    await holdBlocks()
    const operator = stage.operator({ mineWaitMs: 50, resendAfterMs: 0n, crankClaims: false, askAgainMs: 0n })
    await operator.tick()
    await callFirst(agents.as.owner, encodeFunctionData({ abi: agentAbi, functionName: 'pause' }))
    await mine()
    await rpc(agents.as.owner, 'evm_setAutomine', [true])
    await operator.tick()
    expect(await newest()).toMatchObject({ succeeded: false, outcome: { code: 'AgentPaused' } })
    await operator.tick()
    expect(await stage.store.actions.listRecent(agentId(), 10)).toHaveLength(1)
    expect((await decisions()).map(({ code }) => code)).toContain('paused')
    await unpauseAgentAndWait(agents.as.owner, { agent: stage.agent })
    expect(await operator.tick()).toMatchObject({ status: 'idle' })
    expect(await settled()).toHaveLength(1)
    expect((await newest())?.succeeded).toBe(true)
  })
})

/** Calls the Agent with a tip that comes before that of operators in the next block. */
async function callFirst(client: Client, data: Hex): Promise<void> {
  const fees = { gas: 300_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }
  await sendTransaction(client, { to: stage.agent, data, ...fees, chain: null } as never)
}

describe('a database', () => {
  test('MUST NOT be used for a chain that began otherwise under the same id', async () => {
    await stage.requestMint('alice', 50n)
    const identity = { agent: agentId(), account: `11155111/${stage.executor.address.toLowerCase()}` }
    const fence = await stage.store.leases.acquire(identity, { holder: 'before', ttlMs: 1_000n })
    if (fence === undefined) throw new Error('the lease is taken')
    const cursor = { blockNumber: 0n, blockHash: `0x${'ee'.repeat(32)}` } as const
    await stage.store.notes.putSubjects(fence, { source: 'genesis', cursor, subjects: new Map() })
    await stage.store.leases.release(fence)
    await expect(stage.operator().tick()).rejects.toThrow('another chain')
    await expect(stage.operator({}, { chainId: 1 }).tick()).rejects.toThrow('expected 1')
    expect(await settled()).toEqual([])
  })
})

describe('a nonce', () => {
  test('that somebody else with the key used is found out, and the action is decided anew', async () => {
    await stage.requestMint('alice', 50n)
    await holdBlocks()
    const operator = stage.operator({ mineWaitMs: 50, resendAfterMs: 0n, crankClaims: false })
    await operator.tick()
    const nonce = Number((await newest())?.nonce)
    const fees = { gas: 30_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }
    const foreign = { to: agents.address.bob, value: 1n, nonce, ...fees, chain: null }
    await sendTransaction(agents.as.executor, foreign as never)
    await mine()
    await rpc(agents.as.owner, 'evm_setAutomine', [true])
    const report = await operator.tick()
    expect(report.done.map(({ state }) => state)).toEqual(expect.arrayContaining(['replaced', 'mined']))
    const actions = await stage.store.actions.listRecent(agentId(), 10)
    expect(actions.map(({ state }) => state).toSorted()).toEqual(['final', 'replaced'])
    expect(await settled()).toHaveLength(1)
  })
})

describe('another Executor', () => {
  test('MUST follow what the one before it has signed, and do nothing a second time', async () => {
    await stage.requestMint('alice', 50n)
    await holdBlocks()
    const quick = { mineWaitMs: 50, resendAfterMs: 0n, crankClaims: false }
    await stage.operator(quick).tick()
    const first = await newest()
    await rpc(agents.as.owner, 'anvil_dropTransaction', [first?.hash ?? (await attemptHash(first?.id))])
    await rpc(agents.as.owner, 'evm_setAutomine', [true])
    await setExecutorAndWait(agents.as.owner, {
      agent: stage.agent,
      executor: agents.address.stranger,
      isEnabled: true,
    })
    const account = agents.as.stranger.account as LocalAccount
    expect(await stage.operator(quick, { account }).tick()).toMatchObject({ status: 'idle' })
    const actions = await stage.store.actions.listRecent(agentId(), 10)
    expect(actions.map(({ id, nonce }) => [id, nonce])).toEqual([[first?.id, first?.nonce]])
    expect(await settled()).toHaveLength(1)
  })
})

async function attemptHash(actionId = ''): Promise<string | undefined> {
  return (await stage.store.actions.listAttempts(actionId))[0]?.hash
}

describe('gas', () => {
  test('that costs more than the ceiling is waited for, with the reason kept', async () => {
    await stage.requestMint('alice', 50n)
    await rpc(agents.as.owner, 'anvil_setNextBlockBaseFeePerGas', [toHex(500n * 10n ** 9n)])
    await mine()
    const operator = stage.operator({ crankClaims: false })
    const report = await operator.tick()
    expect(report.waiting.join()).toContain('the ceiling is')
    expect(await settled()).toEqual([])
    expect((await decisions()).map(({ code }) => code)).toContain('gas.price')
    await rpc(agents.as.owner, 'anvil_setNextBlockBaseFeePerGas', [toHex(10n ** 9n)])
    await mine()
    await operator.tick()
    expect(await settled()).toHaveLength(1)
  })

  test('that rises while an action waits is paid by the same call under the same nonce', async () => {
    await stage.requestMint('alice', 50n)
    await holdBlocks()
    let nowMs = BigInt(Date.now())
    const operator = stage.operator({ mineWaitMs: 50, resendAfterMs: 0n, crankClaims: false }, { clockMs: () => nowMs })
    await operator.tick()
    const [first] = await stage.store.actions.listAttempts((await newest())?.id ?? '')
    nowMs += 61_000n
    await operator.tick()
    const attempts = await stage.store.actions.listAttempts((await newest())?.id ?? '')
    expect(attempts).toHaveLength(2)
    const [, second] = attempts
    if (first === undefined || second === undefined) throw new Error('there are no attempts')
    expect(second.maxFeePerGasWei).toBeGreaterThan(first.maxFeePerGasWei)
    await mine()
    await rpc(agents.as.owner, 'evm_setAutomine', [true])
    await operator.tick()
    const sent = await getTransaction(agents.as.owner, { hash: second.hash })
    const action = await newest()
    expect(action?.hash).toBe(second.hash)
    expect([BigInt(sent.nonce), sent.input]).toEqual([action?.nonce, action?.data])
    expect(await settled()).toHaveLength(1)
  })

  test('beyond the limit or the budget of a day is not spent, and money neither', async () => {
    await stage.requestMint('alice', 50n)
    const gas = { maxFeePerGasWei: 10n ** 11n, maxPriorityFeePerGasWei: 10n ** 9n, gasLimit: 30_000n }
    await stage.operator({ gas, crankClaims: false }).tick()
    expect((await decisions()).map(({ code }) => code)).toContain('gas.limit')
    await stage.operator({ budget: { gasWei: 1_000n, spendAtomic: 0n }, crankClaims: false }).tick()
    expect((await decisions()).map(({ code }) => code)).toContain('budget.gas')
    expect(await settled()).toEqual([])
    const idle = { vault: stage.vault, keepAtomic: 0n, minMoveAtomic: USDC }
    const budget = { gasWei: 10n ** 18n, spendAtomic: 49n * USDC }
    const report = await stage
      .operator({ budget, idle, askAgainMs: 0n }, { decider: chooseFirst('settle', 'invest') })
      .tick()
    expect(report.done.map(({ kind }) => kind)).not.toContain('deposit-idle')
    expect((await decisions()).map(({ code }) => code)).toContain('budget.spend')
  })
})

describe('the kill switch', () => {
  test('as a file, or as a halt in the database, is looked at before each signature', async () => {
    await stage.requestMint('alice', 50n)
    const file = join(folder, 'stop')
    writeFileSync(file, '')
    const operator = stage.operator({ killSwitchFile: file, crankClaims: false })
    expect((await operator.tick()).waiting.join()).toContain('exists')
    expect(await stage.store.actions.listRecent(agentId(), 10)).toEqual([])
    rmSync(file)
    await stage.store.notes.halt(agentId(), 'an exercise', 1n)
    expect((await operator.tick()).waiting.join()).toContain('an exercise')
    expect(await settled()).toEqual([])
    await stage.store.notes.lift(agentId())
    await operator.tick()
    expect(await settled()).toHaveLength(1)
  })

  test('stops what was planned before it is signed, and what was signed before it is sent again', async () => {
    await stage.requestMint('alice', 50n)
    await holdBlocks()
    const operator = stage.operator({ mineWaitMs: 50, resendAfterMs: 0n, crankClaims: false })
    await operator.tick()
    const sentAtMs = async () => (await stage.store.actions.listAttempts((await newest())?.id ?? ''))[0]?.sentAtMs
    const before = await sentAtMs()
    await stage.store.notes.halt(agentId(), 'an exercise', 1n)
    expect((await operator.tick()).waiting.join()).toContain('an exercise')
    expect(await sentAtMs()).toBe(before)
    await mine()
    await stage.store.notes.lift(agentId())
    expect(await settled()).toHaveLength(1)
  })
})

describe('a dry run', () => {
  test('decides and keeps what it would do, and does nothing', async () => {
    await stage.requestMint('alice', 50n)
    const report = await stage.operator({ dryRun: true }).tick()
    expect(report.waiting.join()).toContain('would be done')
    expect(report.done).toEqual([])
    const kept = await stage.store.notes.listDecisions(agentId(), { limit: 50 })
    expect(kept.map(({ code }) => code)).toEqual(expect.arrayContaining(['chosen', 'dry-run']))
    const at = { agent: stage.agent, user: agents.address.alice, kind: 'mint' } as const
    expect(await getAgentPosition(agents.as.owner, at)).toMatchObject({ pendingAtomic: 50n * USDC })
    expect(await stage.store.actions.listRecent(agentId(), 10)).toEqual([])
  })
})

describe('a decider', () => {
  test('that fails, or answers what was not asked, has chosen to do nothing', async () => {
    await stage.requestMint('alice', 50n)
    const throwing = { name: 'broken', decide: () => Promise.reject(new Error('no answer')) }
    const inventing = {
      name: 'inventive',
      decide: async () => ({ optionId: 'drain', claims: { decision: 'Take it all.' } }),
    }
    await stage.operator({ askAgainMs: 0n }, { decider: throwing }).tick()
    expect((await decisions())[0]).toMatchObject({ code: 'decider-failed', optionId: 'wait', decidedBy: 'broken' })
    await stage.operator({ askAgainMs: 0n }, { decider: inventing }).tick()
    expect((await decisions())[0]).toMatchObject({ code: 'answer.option-unknown', optionId: 'wait' })
    expect(await settled()).toEqual([])
  })
})
