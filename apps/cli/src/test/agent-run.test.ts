import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { identityOf, openSqliteOperatorStore } from '@oikos/runtime/operator'
import { getShareBalance, requestMintAndWait } from '@oikos/sdk'
import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAgentBench, fundedAddress, fundedKey } from './harness.ts'

let bench: Awaited<ReturnType<typeof createAgentBench>>
let agent: Address
/** Index of the account that is the Executor of Agents in the tests. */
const EXECUTOR = 2

beforeAll(async () => {
  bench = await createAgentBench()
})
afterAll(() => bench.stop())

const configFile = () => join(bench.bench.folder, 'operator.json')
const configure = (document: object) => writeFile(configFile(), JSON.stringify(document))
const swift = { finalityBlocks: 1, timing: { pollMs: 20, mineWaitMs: 2_000 } }
const env = { OIKOS_PRIVATE_KEY: fundedKey(EXECUTOR) }
const command = (...words: string[]) => ['agent', ...words, '--config', configFile()]

let count = 0
beforeEach(async () => {
  agent = await bench.agents.create()
  count += 1
  await configure({ ...swift, database: `operator-${count}.sqlite`, killSwitchFile: `stop-${count}` })
  await bench.agents.fund('alice', agent, 5_000_000n)
  await requestMintAndWait(bench.agents.as.alice, { agent, amountAtomic: 5_000_000n })
})

const shares = () => getShareBalance(bench.agents.as.alice, { agent, account: bench.agents.address.alice })

describe('oikos agent run', () => {
  test('--once does what is to be done and ends; status shows it', async () => {
    const result = await bench.bench.run([...command('run', agent), '--once', '--json'], { env })
    expect(result.code, result.err).toBe(0)
    expect(result.json).toMatchObject({ ok: true, status: 'idle' })
    expect(await shares()).toBe(5n * 10n ** 18n)
    const status = await bench.bench.run([...command('status', agent), '--json'])
    expect(status.json).toMatchObject({
      ok: true,
      halted: null,
      operators: [{ status: 'idle', decider: 'rules' }],
      actions: [
        { kind: 'claim-shares', state: 'final' },
        { kind: 'settle-mint', state: 'final', succeeded: true },
      ],
    })
    const text = await bench.bench.run(command('status', agent))
    expect(text.out).toContain('settle-mint')
    expect(text.out).toContain('of gas')
  })

  test('MUST NOT write a key, a passphrase or a password of the database, and logs one JSON object a line', async () => {
    const result = await bench.bench.run([...command('run', agent), '--once'], {
      env: { ...env, OIKOS_PASSPHRASE: 'a-passphrase-to-look-for' },
    })
    const lines = result.err.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
      expect.arrayContaining(['operating', 'decided', 'signed', 'sent', 'mined']),
    )
    const everything = result.err + result.out
    expect(everything).not.toContain(fundedKey(EXECUTOR).slice(2))
    expect(everything).not.toContain('a-passphrase-to-look-for')
  })

  test('--dry-run opens no key, decides, and sends nothing', async () => {
    const words = [...command('run', agent), '--once', '--dry-run', '--json', '--from', fundedAddress(EXECUTOR)]
    const result = await bench.bench.run(words)
    expect(result.code, result.err).toBe(0)
    expect(result.json).toMatchObject({ ok: true, done: [] })
    expect(JSON.stringify(result.json)).toContain('would be done')
    expect(await shares()).toBe(0n)
    const status = await bench.bench.run([...command('status', agent), '--json'])
    expect(status.json).toMatchObject({ actions: [], declined: [{ code: 'dry-run' }] })
  })

  test('--once waits for the lease of an operator that was killed', async () => {
    const store = await openSqliteOperatorStore(join(bench.bench.folder, `operator-${count}.sqlite`))
    const identity = identityOf(11_155_111, agent, fundedAddress(EXECUTOR) as Address)
    await store.leases.acquire(identity, { holder: 'killed', ttlMs: 1_500n })
    await store.close()
    const result = await bench.bench.run([...command('run', agent), '--once', '--json'], { env })
    expect(result.json).toMatchObject({ ok: true, status: 'idle' })
    expect(await shares()).toBe(5n * 10n ** 18n)
  })

  test('halt stops it until it is lifted', async () => {
    const halted = await bench.bench.run(command('halt', agent, '--reason', 'an exercise'))
    expect(halted.code, halted.err).toBe(0)
    const result = await bench.bench.run([...command('run', agent), '--once', '--json'], { env })
    expect(result.json).toMatchObject({ done: [] })
    expect(JSON.stringify(result.json)).toContain('an exercise')
    expect(await shares()).toBe(0n)
    expect((await bench.bench.run(command('status', agent))).out).toContain('HALTED')
    await bench.bench.run(command('halt', agent, '--lift'))
    await bench.bench.run([...command('run', agent), '--once'], { env })
    expect(await shares()).toBe(5n * 10n ** 18n)
  })

  test('runs until it is interrupted, and answers to health checks on loopback meanwhile', async () => {
    await configure({ ...swift, database: `operator-${count}.sqlite`, healthPort: 0 })
    const interruption = new AbortController()
    let said = ''
    const running = bench.bench.run(command('run', agent), {
      env,
      signal: interruption.signal,
      onSay: (text) => {
        said += text
      },
    })
    await expect.poll(() => said, { timeout: 30_000 }).toContain('"health":"http://127.0.0.1:')
    const url = /"health":"(http:\/\/127\.0\.0\.1:[0-9]+)"/.exec(said)?.[1] ?? ''
    await expect.poll(shares, { timeout: 30_000 }).toBe(5n * 10n ** 18n)
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 10_000 }).toBe(200)
    const health = await fetch(`${url}/healthz`)
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({ ok: true })
    expect((await fetch(`${url}/other`)).status).toBe(404)
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(405)
    interruption.abort()
    const result = await running
    expect(result.code).toBe(0)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  test('sends metrics and traces to the collector that the environment names, and to no other', async () => {
    const got = new Map<string, string>()
    const collector = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += String(part)
      got.set(request.url ?? '', (got.get(request.url ?? '') ?? '') + body)
      response.end('{}')
    })
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    try {
      await bench.bench.run([...command('run', agent), '--once'], {
        env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      })
    } finally {
      collector.closeAllConnections()
      await new Promise((resolve) => collector.close(resolve))
    }
    expect([...got.keys()].toSorted()).toEqual(['/v1/metrics', '/v1/traces'])
    for (const name of ['actions', 'decisions', 'gas', 'head', 'pass.duration', 'act.duration'])
      expect(got.get('/v1/metrics')).toContain(`oikos.operator.${name}`)
    for (const name of ['pass', 'decide', 'act']) expect(got.get('/v1/traces')).toContain(`operator.${name}`)
    expect([...got.values()].join()).not.toContain(fundedKey(EXECUTOR).slice(2))
  })

  test('refuses a configuration that is wrong, with everything that is wrong with it', async () => {
    await configure({ settle: { maxBatch: 0 }, budgetPerDay: { gasEther: '-1' }, surprise: true })
    const result = await bench.bench.run([...command('run', agent), '--once'], { env })
    expect(result.code).toBe(2)
    for (const part of ['settle.maxBatch', 'budgetPerDay.gasEther', 'surprise']) expect(result.err).toContain(part)
    await writeFile(configFile(), 'not json')
    expect((await bench.bench.run([...command('run', agent), '--once'], { env })).err).toContain('it is no JSON')
    await configure({ tenders: { rewards: [{ asset: bench.agents.token, minRewardAtomic: '1' }] } })
    expect((await bench.bench.run([...command('run', agent), '--once'], { env })).err).toContain('nobody works')
    await configure({ decider: { kind: 'rules', rules: { mint: { settle: 'perhaps' } } } })
    expect((await bench.bench.run([...command('run', agent), '--once'], { env })).err).toContain('rules.mint.settle')
    expect((await bench.bench.run(['agent', 'run', agent], { env })).err).toContain('--config is missing')
  })

  test('refuses an account that is no Executor, and status without a database', async () => {
    const stranger = { OIKOS_PRIVATE_KEY: fundedKey(5) }
    const result = await bench.bench.run([...command('run', agent), '--once'], { env: stranger })
    expect(result.code).not.toBe(0)
    expect(result.err).toContain('is no Executor')
    await configure({ database: 'absent.sqlite' })
    expect((await bench.bench.run(command('status', agent))).code).toBe(4)
    await expect(readFile(join(bench.bench.folder, 'absent.sqlite'))).rejects.toThrow()
  })
})
