import { rawCidOf } from '@oikos/core'
import {
  acceptFulfillmentAndWait,
  addValuationAndWait,
  commitAnswerAndWait,
  deployVaultValuation,
  fundTaskAndWait,
  getAgentBooks,
  getAssetBalance,
  getCredit,
  getSubmission,
  hashlockAnswerHash,
  hashlockResultHash,
  listExecuted,
  pauseAgentAndWait,
} from '@oikos/sdk'
import { bytesToHex, parseEther, zeroAddress } from 'viem'
import { getCode } from 'viem/actions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Agents, startAgents } from '../../../sdk/test/agents.ts'
import { product, workshopOf } from '../../test/operator/doubles.ts'
import { type OperatorStage, startOperatorStage, tenderSettings, USDC } from '../../test/operator/stage.ts'
import { createRulesDecider } from '../deciders/index.ts'
import type { WorkOrder, Workshop } from '../workers/worker.ts'
import type { BuyResource, PaidResource, Prover } from './options.ts'

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
const codes = async () =>
  (await stage.store.notes.listDecisions(agentId(), { limit: 50, declined: true })).map(({ code }) => code)
const target = (tokenId: bigint) => ({ task: agents.market.task, tokenId })
const freeAtomic = async () => (await getAgentBooks(agents.as.owner, { agent: stage.agent })).freeAtomic

/** The record that the only execution of the Agent cites. */
async function citedRecord(): Promise<{ claims: Record<string, unknown>; links?: Record<string, unknown[]> }> {
  const { events } = await listExecuted(agents.as.owner, { agent: stage.agent, fromBlock: 0n })
  const cid = events[0]?.args.reasoningURI.slice('ipfs://'.length) as never
  return JSON.parse(new TextDecoder().decode(await agents.store.get(cid, { maxBytes: 100_000 })))
}

describe('a tender that a verifier settles', () => {
  const answer = new TextEncoder().encode('forty-two')
  const prover = (agent: string): Prover => ({
    name: 'hash lock',
    commit: async () => hashlockResultHash(answer, agent) as never,
    prove: async () => bytesToHex(answer),
  })
  const open = async (): Promise<bigint> => {
    const verifier = agents.market.deployment.hashlockVerifier
    const tokenId = await stage.openTender({ authority: verifier })
    const answerHash = hashlockAnswerHash(answer)
    await commitAnswerAndWait(agents.market.as.publisher, { ...target(tokenId), verifier, answerHash })
    return tokenId
  }
  const settings = () => tenderSettings(stage, { verifiers: [agents.market.deployment.hashlockVerifier] })

  test('is delivered to with the commitment of its profile and settled with the proof', async () => {
    const tokenId = await open()
    const parts = { workshop: workshopOf(product), prover: prover(stage.agent) }
    const report = await stage.operator({ tenders: settings() }, parts).tick()
    expect(mined(report.done)).toEqual(['deliver', 'settle-delivery'])
    expect(await getSubmission(agents.as.owner, { ...target(tokenId), submissionId: 1n })).toMatchObject({
      ...{ status: 'accepted', machineSettled: true, resultHash: hashlockResultHash(answer, stage.agent) },
    })
    expect(await freeAtomic()).toBe(10n * USDC)
  })

  test('waits for a proof that is not there yet, and is not taken where nothing gives proofs', async () => {
    await open()
    const late: Prover = { ...prover(stage.agent), prove: async () => undefined }
    const waiting = stage.operator({ tenders: settings() }, { workshop: workshopOf(product), prover: late })
    expect((await waiting.tick()).waiting.join()).toContain('waits for a proof')
    await open()
    await stage.operator({ tenders: settings() }, { workshop: workshopOf(product) }).tick()
    expect(await codes()).toContain('no-prover')
  })
})

describe('a reward', () => {
  test('that could not be paid is taken out as a credit', async () => {
    const reward = parseEther('1')
    const terms = { asset: zeroAddress, rewardPerCompletionAtomic: reward }
    const tokenId = await stage.openTender({ terms, fundedUnits: 0n })
    await fundTaskAndWait(agents.as.alice, { ...target(tokenId), amountAtomic: reward })
    const tenders = tenderSettings(stage, { rewards: [{ asset: zeroAddress, minRewardAtomic: 1n }] })
    const operator = stage.operator({ tenders }, { workshop: workshopOf(product) })
    expect(mined((await operator.tick()).done)).toEqual(['deliver'])
    const code = await getCode(agents.as.owner, { address: stage.agent })
    await agents.market.setCode(stage.agent, '0x5f5ffd')
    await acceptFulfillmentAndWait(agents.as.bob, { ...target(tokenId), submissionId: 1n })
    await agents.market.setCode(stage.agent, code ?? '0x')
    expect(await getCredit(agents.as.owner, { ...target(tokenId), creditor: stage.agent })).toBe(reward)
    expect(mined((await operator.tick()).done)).toEqual(['withdraw-credit'])
    expect(await getAssetBalance(agents.as.owner, { asset: zeroAddress, account: stage.agent })).toBe(reward)
    expect(await operator.tick()).toMatchObject({ status: 'idle', done: [] })
  })
})

describe('a resource that costs money', () => {
  const bytes = new TextEncoder().encode('a lexicon')
  const digest = `sha256:${'ab'.repeat(32)}`
  const resources = {
    tester: [{ name: 'lexicon', url: 'https://data.example/lexicon', asset: 'evm:usdc', maxPriceAtomic: 3n * USDC }],
  }
  const rules = (maxPrice: bigint) =>
    createRulesDecider({
      tender: { profiles: { 'x-test-v1': {} }, minSecondsLeft: 60 },
      resource: { maxPriceAtomic: { 'evm:usdc': maxPrice.toString() }, origins: ['https://data.example'] },
    })
  const budgetOf = (units: bigint) => ({
    ...{ gasWei: 10n ** 18n, spendAtomic: 0n },
    purchasesAtomic: { 'evm:usdc': units * USDC },
  })
  const orders: WorkOrder[] = []
  const workshop: Workshop = {
    ...workshopOf(product),
    run: async (_worker, order) => {
      orders.push(order)
      return product
    },
  }

  test('is bought once, given to the worker, and its Evidence is linked in the record of the delivery', async () => {
    await stage.openTender()
    const keys: string[] = []
    let fails = true
    const buy: BuyResource = async ({ idempotencyKey }: PaidResource) => {
      keys.push(idempotencyKey)
      if (fails) return { ok: false, code: 'unknown', message: 'no answer', uncertain: true }
      return { ok: true, bytes, paidAtomic: 2n * USDC, evidence: { digest } }
    }
    const parts = { workshop, buy, decider: rules(3n * USDC) }
    const operator = stage.operator({ tenders: tenderSettings(stage, { resources }), budget: budgetOf(10n) }, parts)
    expect(mined((await operator.tick()).done)).toEqual([])
    expect(await codes()).toContain('resource.unknown')
    fails = false
    expect(mined((await operator.tick()).done)).toEqual(['deliver'])
    // what may have been paid is asked for under the same key
    expect(new Set(keys).size).toBe(1)
    expect(orders[0]?.resources.get('lexicon')).toEqual(bytes)
    expect(await stage.store.notes.getPurchased(agentId(), 'evm:usdc', 0n)).toBe(2n * USDC)
    const record = await citedRecord()
    expect(record.links?.['evidence']).toEqual([{ digest }])
    expect(record.links?.['packages']).toHaveLength(2)
    expect(agents.store.blocks.has(rawCidOf(bytes))).toBe(true)
    await operator.tick()
    expect(keys).toHaveLength(2)
  })

  test('is not bought where the rules, the budget or the lack of a payer stand against it', async () => {
    await stage.openTender()
    const buy: BuyResource = () => Promise.reject(new Error('it was asked for'))
    const tenders = tenderSettings(stage, { resources })
    const settings = { tenders, askAgainMs: 0n, budget: budgetOf(10n) }
    await stage.operator(settings, { workshop, decider: rules(3n * USDC) }).tick()
    expect(await codes()).toContain('no-payer')
    await stage.operator(settings, { workshop, buy, decider: rules(1n * USDC) }).tick()
    expect(await codes()).toContain('resource-declined')
    await stage.operator({ ...settings, budget: budgetOf(2n) }, { workshop, buy, decider: rules(3n * USDC) }).tick()
    expect(await codes()).toContain('budget.purchases')
  })
})

describe('hostile input', () => {
  const summaries = [
    ['a summary of a megabyte', 'x'.repeat(1_000_000)],
    ['control characters', 'a\u0000b\u001b[31m\nc'],
    ['half a character', 'a\ud800b'],
  ] as const
  test.each(summaries)('in what a worker says (%s) ends no pass', async (_what, summary) => {
    await stage.openTender()
    await stage.requestMint('alice', 5n)
    const said = { ok: true, product: { files: new Map([['a.txt', new Uint8Array(1)]]), summary } } as const
    const operator = stage.operator({ tenders: tenderSettings(stage) }, { workshop: workshopOf(said) })
    const report = await operator.tick()
    expect(mined(report.done)).toEqual(expect.arrayContaining(['settle-mint', 'claim-shares', 'deliver']))
    expect(report.status).toBe('idle')
    const failing = { ok: false, code: 'worker.refused', message: summary } as const
    await stage.openTender()
    await stage.operator({ tenders: tenderSettings(stage) }, { workshop: workshopOf(failing) }).tick()
    const kept = await stage.store.notes.listDecisions(agentId(), { limit: 50, declined: true })
    const found = kept.find(({ code }) => code === 'worker.refused')
    expect(found?.reason).not.toMatch(/[\p{Cc}]/u)
    expect(found?.reason.length).toBeLessThanOrEqual(2_000)
  })
})

describe('an Agent', () => {
  test('that could not deliver lets nobody work for nothing', async () => {
    await stage.openTender()
    await pauseAgentAndWait(agents.as.owner, { agent: stage.agent })
    const runs: string[] = []
    const operator = stage.operator({ tenders: tenderSettings(stage) }, { workshop: workshopOf(product, runs) })
    await operator.tick()
    expect(runs).toEqual([])
    expect(await codes()).toContain('pause.paused')
  })

  test('under rules takes the tender that they name and saves what they do not keep liquid', async () => {
    const tokenId = await stage.openTender()
    await stage.requestMint('alice', 40n)
    const decider = createRulesDecider({
      tender: { profiles: { 'x-test-v1': { minRewardAtomic: (5n * USDC).toString() } }, minSecondsLeft: 60 },
      capital: { liquidBps: 2_500, minMoveAtomic: USDC.toString() },
    })
    const valuation = { vault: stage.vault, corridorBpsPerDay: 0 }
    const { address } = await deployVaultValuation(agents.as.owner, agents.as.owner, valuation)
    await addValuationAndWait(agents.as.owner, { agent: stage.agent, valuation: address })
    const idle = { vault: stage.vault, keepAtomic: 0n, minMoveAtomic: USDC }
    const settings = { tenders: tenderSettings(stage), idle }
    const report = await stage.operator(settings, { workshop: workshopOf(product), decider }).tick()
    expect(mined(report.done)).toEqual(['settle-mint', 'claim-shares', 'deliver', 'deposit-idle'])
    expect(await freeAtomic()).toBe(10n * USDC)
    expect(tokenId).toBeGreaterThan(0n)
  })
})
