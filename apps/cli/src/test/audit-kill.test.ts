import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cid } from '@oikos/core'
import { formatDeployments } from '@oikos/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuditedLife, startAuditedLife } from '../../../../packages/runtime/test/audited-life.ts'

const main = join(import.meta.dirname, '..', 'main.ts')

let life: AuditedLife
let home: string
let gateway: Server
let url: string
/** Blocks that were asked for, in order. */
const asked: string[] = []
/** Called before each answer. */
let beforeAnswer: () => Promise<void> = async () => {}

beforeAll(async () => {
  life = await startAuditedLife()
  home = await mkdtemp(join(tmpdir(), 'oikos-audit-kill-'))
  const { market, factory } = life.agents
  await writeFile(
    join(home, 'deployments.json'),
    formatDeployments([{ ...market.deployment, agentFactory: factory, agents: { atlas: life.agent } }]),
  )
  gateway = createServer(async (request, response) => {
    const cid = (request.url ?? '').split('/ipfs/')[1]?.split('?')[0] ?? ''
    asked.push(cid)
    await beforeAnswer()
    const bytes = life.content.get(cid as Cid)
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes)
  })
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
})
afterAll(async () => {
  gateway?.closeAllConnections()
  gateway?.close()
  await life?.stop()
  await rm(home, { recursive: true, force: true })
})

function start(...more: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; out: string }> } {
  const args = ['audit', 'atlas', '--gateway', url, '--json', ...more]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', OIKOS_HOME: home, OIKOS_RPC_URL: life.agents.market.chain.url },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out }))
  return { child, ended }
}

it('an audit that was killed goes on from its checkpoint and comes to the same report', async () => {
  const whole = await start().ended
  expect(whole.code).toBe(0)
  const needed = asked.splice(0).length

  // killed while the gateway holds back the package, after the records were checked
  const first = start('--checkpoint', 'audit.state')
  const isThere = async (): Promise<boolean> =>
    (await readFile(join(home, 'audit.state'), 'utf8').catch(() => '')).includes('"verified":6')
  beforeAnswer = async () => {
    if (!(await isThere())) return
    first.child.kill('SIGKILL')
    await new Promise(() => {})
  }
  expect((await first.ended).code).toBeNull()
  expect(await isThere()).toBe(true)

  beforeAnswer = async () => {}
  asked.splice(0)
  const second = await start('--checkpoint', 'audit.state').ended
  expect(second.code).toBe(0)
  expect(JSON.parse(second.out).report).toEqual(JSON.parse(whole.out).report)
  expect(asked.length).toBeLessThan(needed - 3)
}, 240_000)
