import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listExecuted, listReasoned, listSettled } from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import { bytesToHex, type HDAccount } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Agents, startAgents } from '../../../sdk/test/agents.ts'
import { type LineChild, runChild } from '../../test/child-process.ts'
import type { ChildStep, OperatorChildTask } from '../../test/operator/child.ts'
import { type OperatorStage, startOperatorStage } from '../../test/operator/stage.ts'
import { hasPostgres, type PostgresCluster, startPostgres } from '../../test/postgres-cluster.ts'
import { openPostgresOperatorStore } from './store/postgres.ts'

const program = join(import.meta.dirname, '../../test/operator/child.ts')

let agents: Agents
let cluster: PostgresCluster
let stage: OperatorStage
let folder: string
const children: LineChild[] = []
beforeAll(async () => {
  agents = await startAgents()
  if (hasPostgres) cluster = await startPostgres()
})
afterAll(async () => {
  await agents.stop()
  if (hasPostgres) await cluster.stop()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oikos-shared-'))
  const content = await openContentStore(folder)
  stage = await startOperatorStage({ ...agents, store: Object.assign(content, { blocks: new Map() }) })
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill('SIGKILL')
    await child.ended
  }
  await stage.stop()
  rmSync(folder, { recursive: true, force: true })
})

function start(more: Partial<OperatorChildTask> = {}): LineChild {
  const { privateKey } = (stage.executor as HDAccount).getHdKey()
  const task: OperatorChildTask = {
    ...{ url: stage.url, store: { kind: 'postgres', url: cluster.url }, contentFolder: folder },
    ...{ key: bytesToHex(privateKey ?? new Uint8Array()), agent: stage.agent, task: agents.market.task },
    ...{ token: agents.token, fromBlock: stage.fromBlock.toString(), leaseMs: '1500', ...more },
  }
  const child = runChild(program, task)
  children.push(child)
  return child
}

const range = () => ({ agent: stage.agent, fromBlock: 0n })
const settled = async () => (await listSettled(agents.as.owner, range())).events
const deliveries = async () => (await listExecuted(agents.as.owner, range())).events

describe.skipIf(!hasPostgres)('two operators of one Agent over one PostgreSQL database', () => {
  test('MUST NOT act twice while both run', { timeout: 120_000 }, async () => {
    const [one, other] = [start({ forever: true }), start({ forever: true })]
    await Promise.all([one.hasLines(1), other.hasLines(1)])
    const tenders = [await stage.openTender(), await stage.openTender()]
    await stage.requestMint('alice', 20n)
    await stage.requestMint('bob', 10n)
    await expect.poll(async () => (await deliveries()).length, { timeout: 60_000, interval: 200 }).toBe(tenders.length)
    await stage.requestMint('stranger', 5n)
    await expect.poll(async () => (await settled()).length, { timeout: 60_000, interval: 200 }).toBe(3)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const requesters = (await settled()).map(({ args }) => args.requester)
    expect(new Set(requesters).size).toBe(requesters.length)
    expect(await deliveries()).toHaveLength(tenders.length)
    const store = await openPostgresOperatorStore(cluster.url)
    const actions = await store.actions.listRecent(`11155111/${stage.agent.toLowerCase()}`, 50)
    await store.close()
    const { events } = await listReasoned(agents.as.owner, range())
    const reasoned = actions.filter(({ reasoning, succeeded }) => reasoning !== undefined && succeeded === true)
    expect(reasoned.length).toBe(events.length + (await deliveries()).length)
    const nonces = actions.map(({ nonce }) => nonce)
    expect(new Set(nonces).size).toBe(nonces.length)
  })

  const moments: readonly (readonly [ChildStep, 'before' | 'after'])[] = [
    ['record', 'after'],
    ['plan', 'after'],
    ['sign', 'before'],
    ['sign', 'after'],
    ['send', 'before'],
    ['send', 'after'],
    ['noteSent', 'after'],
    ['transaction', 'after'],
  ]
  test.each(moments)(
    'MUST NOT act twice when one is stopped beyond its lease (%s, %s) and goes on later',
    { timeout: 120_000 },
    async (step, moment) => {
      await stage.openTender()
      const stopped = start({ strike: { step, moment, signal: 'SIGSTOP' } })
      await expect.poll(() => stopped.lines.at(-1), { timeout: 60_000 }).toEqual({ struck: step, moment })
      const other = start()
      await expect.poll(deliveries, { timeout: 60_000, interval: 100 }).toHaveLength(1)
      expect(await other.ended).toBe(0)
      stopped.process.kill('SIGCONT')
      expect(await stopped.ended).toBe(0)
      expect(await deliveries()).toHaveLength(1)
      const store = await openPostgresOperatorStore(cluster.url)
      const actions = await store.actions.listRecent(`11155111/${stage.agent.toLowerCase()}`, 50)
      await store.close()
      expect(actions.filter(({ succeeded }) => succeeded === true)).toHaveLength(1)
      expect(actions).toHaveLength(1)
    },
  )
})
