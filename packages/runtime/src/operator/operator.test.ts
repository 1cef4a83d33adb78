import {
  acceptFulfillmentAndWait,
  addValuationAndWait,
  deployVaultValuation,
  getAgentBooks,
  getAgentPosition,
  getAssetBalance,
  getShareBalance,
  getSubmission,
  listExecuted,
  listReasoned,
  listSubmissions,
  rejectFulfillmentAndWait,
  requestMintAndWait,
  requestMintAtMostAndWait,
  requestRedeemAndWait,
  setAgentGuardAndWait,
} from '@oikos/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Agents, startAgents } from '../../../sdk/test/agents.ts'
import { chooseFirst, product, workshopOf } from '../../test/operator/doubles.ts'
import { type OperatorStage, startOperatorStage, tenderSettings, USDC } from '../../test/operator/stage.ts'
import type { Question } from './question.ts'

let agents: Agents
let stage: OperatorStage
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())
beforeEach(async () => {
  stage = await startOperatorStage(agents)
})
afterEach(() => stage.stop())

const agentId = () => `11155111/${stage.agent.toLowerCase()}`
const mined = (done: readonly { kind: string; state: string }[]) =>
  done.filter(({ state }) => state === 'mined').map(({ kind }) => kind)
const declined = async () =>
  (await stage.store.notes.listDecisions(agentId(), { limit: 50, declined: true })).map(({ code, subject }) => [
    code,
    subject,
  ])

describe('requests', () => {
  test('are settled together with one record that was stored before, and handed out', async () => {
    await stage.requestMint('alice', 50n)
    await stage.requestMint('bob', 30n)
    const report = await stage.operator().tick()
    expect(report).toMatchObject({ status: 'idle', waiting: [] })
    expect(mined(report.done)).toEqual(['settle-mint', 'claim-shares'])
    const { as, address, store } = agents
    expect(await getShareBalance(as.alice, { agent: stage.agent, account: address.alice })).toBe(50n * 10n ** 18n)
    expect(await getShareBalance(as.bob, { agent: stage.agent, account: address.bob })).toBe(30n * 10n ** 18n)
    const { events } = await listReasoned(as.alice, { agent: stage.agent, fromBlock: 0n })
    expect(events).toHaveLength(1)
    const cid = events[0]?.args.reasoningURI.slice('ipfs://'.length) as never
    const record = JSON.parse(new TextDecoder().decode(await store.get(cid, { maxBytes: 100_000 })))
    expect(record).toMatchObject({
      binding: { action: 'settleMintBatch' },
      claims: { decision: 'settle, says the test.' },
    })
    expect(await stage.operator().tick()).toMatchObject({ status: 'idle', done: [] })
  })

  test("respect the requester's limit, and one that cannot be met may be declined", async () => {
    await agents.fund('alice', stage.agent, 5n * USDC)
    const limited = { agent: stage.agent, amountAtomic: 5n * USDC, maxRate: 900_000n }
    await requestMintAtMostAndWait(agents.as.alice, limited)
    const report = await stage.operator({}, { decider: chooseFirst('settle') }).tick()
    expect(mined(report.done)).toEqual([])
    expect(report.waiting.join()).toContain('the rate is worse than the limit')
    expect(await declined()).toContainEqual(['limit-breached', `mint of ${agents.address.alice}`])
    const declining = await stage.operator({ askAgainMs: 0n }, { decider: chooseFirst('decline') }).tick()
    expect(mined(declining.done)).toEqual(['decline-request'])
    const at = { agent: stage.agent, user: agents.address.alice, kind: 'mint' } as const
    expect(await getAgentPosition(agents.as.alice, at)).toMatchObject({ pendingAtomic: 0n })
  })

  test('of the operator itself are never settled by it', async () => {
    await agents.fund('executor', stage.agent, 5n * USDC)
    await requestMintAndWait(agents.as.executor, { agent: stage.agent, amountAtomic: 5n * USDC })
    expect(mined((await stage.operator().tick()).done)).toEqual([])
    expect(await declined()).toContainEqual(['own-request', `mint of ${agents.address.executor}`])
  })

  test('that rules would not settle together are asked about apart', async () => {
    await stage.requestMint('alice', 50n)
    await stage.requestMint('bob', 1n)
    const asked: Question[] = []
    const decider = {
      name: 'picky',
      decide: async (question: Question) => {
        asked.push(question)
        const isSmall = BigInt(String(question.facts['smallestAtomic'])) < 10n * USDC
        const wanted = isSmall ? 'decline' : 'settle'
        const isOffered = question.options.some(({ id }) => id === wanted)
        return { optionId: isOffered ? wanted : 'wait', claims: { decision: 'By size.' } }
      },
    }
    const report = await stage.operator({}, { decider }).tick()
    expect(mined(report.done)).toEqual(expect.arrayContaining(['settle-mint', 'decline-request', 'claim-shares']))
    expect(asked.map(({ facts }) => facts['requests'])).toContain('2')
    const bob = { agent: stage.agent, user: agents.address.bob, kind: 'mint' } as const
    expect(await getAgentPosition(agents.as.bob, bob)).toMatchObject({ pendingAtomic: 0n, claimableAtomic: 0n })
  })

  test('wait while they are younger than the Agent demands', async () => {
    const guard = { agent: stage.agent, corridorBpsPerDay: 0, minRequestAgeSec: 600 }
    await setAgentGuardAndWait(agents.as.owner, guard)
    await stage.requestMint('alice', 5n)
    const early = await stage.operator().tick()
    expect(mined(early.done)).toEqual([])
    expect(early.waiting.join()).toContain('too young')
    await agents.market.passTime(601n)
    expect(mined((await stage.operator().tick()).done)).toEqual(['settle-mint', 'claim-shares'])
  })

  test('to redeem are paid from the vault where the money lies there', async () => {
    await stage.requestMint('alice', 50n)
    const idle = { vault: stage.vault, keepAtomic: 5n * USDC, minMoveAtomic: USDC }
    const invest = await stage.operator({ idle }, { decider: chooseFirst('settle', 'invest') }).tick()
    expect(mined(invest.done)).toEqual(['settle-mint', 'claim-shares', 'deposit-idle'])
    const { as, address } = agents
    expect((await getAgentBooks(as.alice, { agent: stage.agent })).freeAtomic).toBe(5n * USDC)
    const valuation = await deployVaultValuation(as.owner, as.owner, { vault: stage.vault, corridorBpsPerDay: 0 })
    await addValuationAndWait(as.owner, { agent: stage.agent, valuation: valuation.address })
    await requestRedeemAndWait(as.alice, { agent: stage.agent, sharesAtomic: 20n * 10n ** 18n })
    const before = await getAssetBalance(as.alice, { asset: agents.token, account: address.alice })
    const paid = await stage.operator({ idle }).tick()
    expect(mined(paid.done)).toEqual(['withdraw-idle', 'settle-redeem', 'claim-tokens'])
    expect((await getAssetBalance(as.alice, { asset: agents.token, account: address.alice })) - before).toBe(20n * USDC)
  })
})

describe('tenders', () => {
  const delivering = (more: object = {}, runs: string[] = []) =>
    stage.operator({ tenders: tenderSettings(stage, more) }, { workshop: workshopOf(product, runs) })
  const paid = async () => (await getAgentBooks(agents.as.alice, { agent: stage.agent })).freeAtomic

  test('that fit are worked on, delivered to as fulfiller of record, and waited for', async () => {
    const tokenId = await stage.openTender()
    const runs: string[] = []
    const report = await delivering({}, runs).tick()
    expect(mined(report.done)).toEqual(['deliver'])
    expect(report.waiting.join()).toContain('waits for its judge')
    const target = { task: agents.market.task, tokenId }
    const submission = await getSubmission(agents.as.alice, { ...target, submissionId: 1n })
    expect(submission).toMatchObject({ fulfiller: stage.agent, status: 'pending' })
    expect(mined((await delivering({}, runs).tick()).done)).toEqual([])
    expect(runs).toHaveLength(1)
    await acceptFulfillmentAndWait(agents.as.bob, { ...target, submissionId: 1n })
    expect(await delivering().tick()).toMatchObject({ status: 'idle', done: [] })
    expect(await paid()).toBe(10n * USDC)
    const { events } = await listExecuted(agents.as.alice, { agent: stage.agent, fromBlock: 0n })
    expect(events).toHaveLength(1)
  })

  test('on which nobody ruled in time are claimed after the window', async () => {
    const tokenId = await stage.openTender()
    await delivering().tick()
    await agents.market.passTime(3_601n)
    expect(mined((await delivering().tick()).done)).toEqual(['claim-unjudged'])
    expect(await paid()).toBe(10n * USDC)
    expect(tokenId).toBeGreaterThan(0n)
  })

  test('that refused a delivery are left alone after as many attempts as the limits allow', async () => {
    const tokenId = await stage.openTender()
    await delivering().tick()
    await rejectFulfillmentAndWait(agents.as.bob, { task: agents.market.task, tokenId, submissionId: 1n })
    expect(mined((await delivering().tick()).done)).toEqual([])
    expect((await declined()).map(([code]) => code)).toContain('attempts')
    expect(mined((await delivering({ maxAttemptsPerTender: 2n }).tick()).done)).toEqual([])
  })

  test('that the limits do not allow are declined with the reason', async () => {
    const rows = [
      ['reward-too-low', { terms: { rewardPerCompletionAtomic: USDC / 2n } }],
      ['reward-asset', { terms: { asset: stage.vault }, fundedUnits: 0n }],
      ['unfunded', { fundedUnits: 0n }],
      ['not-frozen', { isFrozen: false }],
      ['too-late', { terms: { submitBySec: (await agents.market.now()) + 50n } }],
      ['window-too-long', { terms: { judgmentWindowSec: 86_401n } }],
      ['unknown-verifier', { authority: agents.market.deployment.hashlockVerifier }],
      ['no-skill', { specProfile: 'x-other-v1' }],
    ] as const
    const ids = new Map<string, string>()
    for (const [code, options] of rows) {
      ids.set(`${agents.market.task.toLowerCase()}/${await stage.openTender(options)}`, code)
    }
    expect(mined((await delivering().tick()).done)).toEqual([])
    const got = new Map((await declined()).map(([code, subject]) => [subject, code]))
    for (const [id, code] of ids) expect([id, got.get(id)]).toEqual([id, code])
  })

  test('are not worked on twice, and a worker that fails is given up with its reason', async () => {
    await stage.openTender()
    const failed = { ok: false, code: 'worker.crashed', message: 'it fell over' } as const
    const runs: string[] = []
    const operator = stage.operator({ tenders: tenderSettings(stage) }, { workshop: workshopOf(failed, runs) })
    for (let pass = 0; pass < 4; pass += 1) await operator.tick()
    expect(runs).toHaveLength(2)
    expect((await declined()).map(([code]) => code)).toContain('worker.crashed')
    expect(
      (await listSubmissions(agents.as.alice, { task: agents.market.task, tokenId: 1n })).submissions.length,
    ).toBeLessThan(2)
  })
})
