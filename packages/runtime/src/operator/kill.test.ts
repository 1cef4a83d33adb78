import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getSubmission, listExecuted, listReasoned, listSettled } from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import { bytesToHex, type HDAccount } from 'viem'
import { getTransactionCount } from 'viem/actions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Agents, startAgents } from '../../../sdk/test/agents.ts'
import { rpc } from '../../../sdk/test/market.ts'
import { runChild } from '../../test/child-process.ts'
import type { ChildStep, OperatorChildTask } from '../../test/operator/child.ts'
import { product, workshopOf } from '../../test/operator/doubles.ts'
import { type OperatorStage, startOperatorStage, tenderSettings } from '../../test/operator/stage.ts'

const program = join(import.meta.dirname, '../../test/operator/child.ts')

let agents: Agents
let stage: OperatorStage
let folder: string
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oikos-kill-'))
  const content = await openContentStore(folder)
  stage = await startOperatorStage({ ...agents, store: Object.assign(content, { blocks: new Map() }) })
})
afterEach(async () => {
  await stage.stop()
  rmSync(folder, { recursive: true, force: true })
})

function taskOf(strike?: OperatorChildTask['strike']): OperatorChildTask {
  const { privateKey } = (stage.executor as HDAccount).getHdKey()
  return {
    ...{ url: stage.url, store: { kind: 'sqlite', path: join(stage.folder, 'operator.sqlite') } },
    ...{ contentFolder: folder, key: bytesToHex(privateKey ?? new Uint8Array()), agent: stage.agent },
    ...{ task: agents.market.task, token: agents.token, fromBlock: stage.fromBlock.toString(), leaseMs: '1000' },
    ...(strike !== undefined && { strike }),
  }
}

/** Records of this Agent in the content store. */
async function listRecords(): Promise<readonly string[]> {
  const content = await openContentStore(folder)
  const found: string[] = []
  for await (const cid of content.list()) {
    const text = new TextDecoder().decode(await content.get(cid, { maxBytes: 1_000_000 }))
    if (text.includes('fat-reasoning/1') && text.includes(stage.agent.toLowerCase())) found.push(`ipfs://${cid}`)
  }
  return found
}

/** Runs a child that is killed; a block later, another operator goes on with what it left on disk. */
async function killAndGoOn(strike: NonNullable<OperatorChildTask['strike']>): Promise<void> {
  const first = runChild(program, taskOf(strike))
  expect(await first.ended).toBe('SIGKILL')
  expect(first.lines.at(-1)).toEqual({ struck: strike.step, moment: strike.moment })
  await rpc(agents.as.owner, 'evm_mine')
  // nothing is known of the first but its files, so its lease has to run out
  const second = stage.operator(
    { tenders: tenderSettings(stage), leaseMs: 1_000n, resendAfterMs: 0n },
    { workshop: workshopOf(product) },
  )
  await expect.poll(async () => (await second.tick()).status, { timeout: 30_000, interval: 50 }).toBe('idle')
}

const steps: readonly (readonly [ChildStep, 'before' | 'after'])[] = [
  ...(['decision', 'record', 'plan', 'sign', 'send', 'noteSent', 'noteMined', 'noteEnd'] as const).flatMap(
    (step): [ChildStep, 'before' | 'after'][] => [
      [step, 'before'],
      [step, 'after'],
    ],
  ),
]

describe('MUST NOT repeat or forget an action, whenever the process is killed', () => {
  test.each(steps)('a settlement: %s, %s', { timeout: 120_000 }, async (step, moment) => {
    const from = stage.executor.address
    const before = await getTransactionCount(agents.as.owner, { address: from })
    await stage.requestMint('alice', 50n)
    await killAndGoOn({ step, moment, signal: 'SIGKILL' })
    const range = { agent: stage.agent, fromBlock: 0n }
    const { events: reasoned } = await listReasoned(agents.as.owner, range)
    expect(reasoned).toHaveLength(1)
    expect((await listSettled(agents.as.owner, range)).events).toHaveLength(1)
    // the settlement and the claim, and not one more
    expect((await getTransactionCount(agents.as.owner, { address: from })) - before).toBe(2)
    expect(await listRecords()).toEqual([reasoned[0]?.args.reasoningURI])
    const actions = await stage.store.actions.listRecent(`11155111/${stage.agent.toLowerCase()}`, 10)
    expect(actions.map(({ kind, state }) => [kind, state])).toEqual([
      ['claim-shares', 'final'],
      ['settle-mint', 'final'],
    ])
  })

  test.each([
    ['work', 'after'],
    ['plan', 'after'],
    ['sign', 'after'],
    ['send', 'after'],
    ['noteSent', 'after'],
    ['noteMined', 'before'],
  ] as const)('a delivery: %s, %s', { timeout: 120_000 }, async (step, moment) => {
    const tokenId = await stage.openTender()
    await killAndGoOn({ step, moment, signal: 'SIGKILL' })
    const { events } = await listExecuted(agents.as.owner, { agent: stage.agent, fromBlock: 0n })
    expect(events).toHaveLength(1)
    expect(await listRecords()).toEqual([events[0]?.args.reasoningURI])
    const target = { task: agents.market.task, tokenId }
    expect(await getSubmission(agents.as.owner, { ...target, submissionId: 1n })).toMatchObject({
      fulfiller: stage.agent,
    })
    await expect(getSubmission(agents.as.owner, { ...target, submissionId: 2n })).rejects.toThrow()
  })
})
