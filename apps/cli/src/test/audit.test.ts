import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryJournal } from '@oikos/runtime'
import { formatDeployments } from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditedLife, startAuditedLife } from '../../../../packages/runtime/test/audited-life.ts'
import { createWorkbench, textAt, type Workbench } from './harness.ts'
import { NOW_MS, pay } from './payments.ts'

let life: AuditedLife
let bench: Workbench
beforeAll(async () => {
  life = await startAuditedLife()
  const { market, factory } = life.agents
  bench = await createWorkbench({ OIKOS_RPC_URL: market.chain.url })
  const deployment = { ...market.deployment, agentFactory: factory, agents: { atlas: life.agent } }
  await writeFile(join(bench.folder, 'home', 'deployments.json'), formatDeployments([deployment]))
  const store = await openContentStore(join(bench.folder, 'home', 'content'))
  for (const [cid, bytes] of life.content) await store.put(bytes, cid.startsWith('bafy') ? 'dag-cbor' : 'raw')
})
afterAll(async () => {
  await life.stop()
  await bench.stop()
})

describe('oikos audit', () => {
  it('verifies an Agent by its name, writes a page for people and keeps a checkpoint', async () => {
    const args = ['audit', 'atlas', '--out', 'audit.html', '--checkpoint', 'audit.state', '--books-at', '25']
    const { code, json, err } = await bench.run([...args, '--json'])
    expect([code, err]).toEqual([0, expect.stringContaining('audit.html')])
    expect(json).toMatchObject({
      ok: true,
      report: { schema: 'oikos-audit/1', kind: 'agent', status: 'verified', actions: { total: 6, verified: 6 } },
    })
    const page = await readFile(join(bench.folder, 'audit.html'), 'utf8')
    expect(page).toMatch(/^<!doctype html>/)
    expect(page).toContain('VERIFIED')
    expect(page).not.toContain('<script')
    expect(await readFile(join(bench.folder, 'audit.state'), 'utf8')).toContain('"nextBlock"')
    // it goes on from where it was, and overwrites no report
    expect((await bench.run(['audit', 'atlas', '--checkpoint', 'audit.state'])).code).toBe(0)
    expect((await bench.run(['audit', 'atlas', '--out', 'audit.html'])).code).toBe(2)
  })

  it('shows a table to people, and counts warnings with --strict', async () => {
    const { code, out } = await bench.run(['audit', life.agent])
    expect(code).toBe(0)
    expect(out).toContain(
      `VERIFIED  Test Agent ${life.agent}: 6 of 6 actions verified, 1 deliveries, books at 1 blocks`,
    )
    const strict = await bench.run(['audit', life.agent, '--strict', '--json'])
    const warned = Object.keys((strict.json as { report: { counts: object } }).report.counts).length > 0
    expect(strict.code).toBe(warned ? 1 : 0)
  })

  it('ends with 1 when a record resolves nowhere, and says which', async () => {
    await life.withSnapshot(async () => {
      const { bob } = life.agents.address
      const { reasoningHash, reasoningURI } = life.record(bob)
      await life.act({ requester: bob, reasoningHash, reasoningURI })
      const { code, out } = await bench.run(['audit', life.agent])
      expect(code).toBe(1)
      expect(out).toContain('INCOMPLETE')
      expect(out).toContain('record.missing at action 7')
    })
  })

  it('verifies a tender by its number', async () => {
    const { code, json } = await bench.run(['audit', String(life.tokenId), '--json'])
    expect(code).toBe(0)
    expect(json).toMatchObject({
      report: { kind: 'tender', status: 'verified', deliveries: [{ package: 'verified' }] },
    })
  })

  it('replays Evidence from a file, and refuses one that was changed', async () => {
    const evidence = await pay(createMemoryJournal({ clockMs: () => NOW_MS }), 'audit-1')
    await writeFile(join(bench.folder, 'evidence.json'), evidence.bytes)
    const { code, json } = await bench.run(['audit', 'evidence.json', '--offline', '--json'])
    expect([code, textAt(json, 'report.payment.digest')]).toEqual([0, evidence.digest])
    // the rehearsal's transaction was never on this chain
    const online = await bench.run(['audit', 'evidence.json', '--json'])
    expect(Object.keys((online.json as { report: { counts: object } }).report.counts)).toEqual(
      online.code === 0 ? ['evidence.not-matched'] : ['evidence.transaction-missing'],
    )
    await writeFile(join(bench.folder, 'changed.json'), Buffer.from(evidence.bytes).subarray(1))
    expect((await bench.run(['audit', 'changed.json', '--offline'])).code).toBe(1)
  })

  it('refuses what names nothing, and a folder as a checkpoint', async () => {
    expect((await bench.run(['audit', 'nobody'])).code).toBe(2)
    expect((await bench.run(['audit', life.agent, '--checkpoint', 'home'])).code).toBe(2)
    expect((await bench.run(['audit', life.agent, '--timeout', '0s'])).code).toBe(2)
  })

  it('has help with examples', async () => {
    const { code, out } = await bench.run(['audit', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('oikos audit 7 --json')
  })
})
