import { execFile } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { TaskHash } from '@oikos/core'
import { parsePolicy } from '@oikos/core/economic'
import { compilePolicy, describePolicy, parsePolicyDocument } from '@oikos/core/scope-policy'
import { createWorkshop } from '@oikos/runtime/workers'
import { parseDeployments } from '@oikos/sdk'
import { parseEther } from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProgram, type Request } from '../program.ts'
import type { Terminal } from '../terminal.ts'
import { createAgentBench, createWorkbench, fundedKey, textAt } from './harness.ts'

type Bench = Awaited<ReturnType<typeof createAgentBench>>

const passphrase = { OIKOS_PASSPHRASE: 'for the test' }
const KINDS = ['labels', 'reports']

let place: Bench
beforeAll(async () => {
  place = await createAgentBench()
  for (const kind of KINDS) {
    const made = await place.bench.run(['init', kind, '--template', kind, '--yes', '--json'], { env: passphrase })
    expect(made.code, made.err).toBe(0)
  }
})
afterAll(() => place?.stop())

const at = (kind: string, ...path: string[]): string => join(place.bench.folder, kind, ...path)
/** The environment that oikos.env sets. */
const homeOf = (kind: string) => ({ OIKOS_HOME: at(kind, '.oikos') })

describe.each(KINDS)('a project of the kind %s', (kind) => {
  it('has a skill whose test passes with nothing but Node.js', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', at(kind, 'worker', 'work.test.ts')], {
      env: { PATH: process.env['PATH'] ?? '' },
      cwd: at(kind),
    })
    expect(stdout).toMatch(/pass 2/)
    expect(stdout).toMatch(/fail 0/)
  })

  it('has a skill that works in the workshop of the operator, apart from network, keys and files', async () => {
    const workers = [{ name: kind, specProfiles: ['any'], module: pathToFileURL(at(kind, 'worker', 'work.ts')) }]
    const { signal } = new AbortController()
    const { run } = await createWorkshop({ workers, signal })
    const [worker] = workers
    if (worker === undefined) throw new Error('there is a worker')
    const texts = { 'TASK.md': '# Task\n', 'data/one.jsonl': '{"id":"a","text":"an invoice"}\n' }
    const files = new Map(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]))
    const order = { taskHash: `0x${'00'.repeat(32)}` as TaskHash, specProfile: 'any', files, resources: new Map() }
    const limits = { timeoutMs: 20_000, memoryMiB: 128, outputBytes: 1_000_000 }
    const outcome = await run(worker, { ...order, fulfillment: undefined }, limits, signal)
    expect(outcome).toMatchObject({ ok: true, product: { summary: expect.stringMatching(/^(Labelled|Wrote)/) } })
  })

  it('has policies that the real parsers take, and that allow little', async () => {
    const payments = parsePolicy(await readFile(at(kind, 'payment-policy.json')))
    const [row] = payments.document.network_policies
    const listed = await place.bench.run(['key', 'list', '--json'], { env: homeOf(kind) })
    expect(row?.recipients).toEqual([textAt(listed.json, 'keys.0.address').toLowerCase()])
    const scope = parsePolicyDocument(await readFile(at(kind, 'scope-policy.json')))
    expect(compilePolicy(scope).policy.rules).toHaveLength(1)
    expect(
      describePolicy(scope)
        .map(({ text }) => text)
        .join(' '),
    ).toContain('submitFulfillment')
  })

  it('has settings, deployments and a key in a home of its own', async () => {
    expect(parseDeployments(await readFile(at(kind, '.oikos', 'deployments.json'), 'utf8'))).toHaveLength(1)
    const listed = await place.bench.run(['task', 'list', '--json'], { env: homeOf(kind) })
    expect(listed.code, listed.err).toBe(0)
    expect((await stat(at(kind, '.oikos', 'keystore', 'executor.json'))).mode & 0o777).toBe(0o600)
  })

  it('keeps keys, wallets, passphrases and databases out of version control', async () => {
    const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: at(kind) })
    await git('init', '-q')
    await writeFile(at(kind, '.oikos', 'operator.sqlite'), '')
    await writeFile(at(kind, '.oikos', 'journal.sqlite-wal'), '')
    await writeFile(at(kind, 'my-passphrase.txt'), '')
    const { stdout } = await git('ls-files', '--others', '--exclude-standard')
    const kept = stdout.trim().split('\n').sort()
    expect(kept).toEqual(
      [
        ...['.gitignore', '.oikos/config.json', '.oikos/deployments.json', 'README.md', 'about.json', 'oikos.env'],
        ...['operator.json', 'payment-policy.json', 'scope-policy.json', 'worker/work.test.ts', 'worker/work.ts'],
      ].sort(),
    )
  })

  it('has a README whose commands all parse', async () => {
    const text = await readFile(at(kind, 'README.md'), 'utf8')
    const lines = text.split('\n').filter((line) => line.startsWith('oikos '))
    expect(lines.length).toBeGreaterThan(8)
    const silent = { writeOut: () => {}, writeError: () => {}, columns: 80 } as unknown as Terminal
    for (const line of lines) {
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
      const requests: Request[] = []
      createProgram(silent, (request) => requests.push(request)).parse(words.slice(1), { from: 'user' })
      expect(requests, line).toHaveLength(1)
    }
    for (const [, named] of text.matchAll(/^\| `([\w./-]+)` \|/gm)) {
      expect((await stat(at(kind, named ?? ''))).size, named).toBeGreaterThan(0)
    }
  })

  it('gives birth to an Agent and runs its operator, dry, once', async () => {
    const { bench, market, agents } = place
    const key = await bench.run(['key', 'list', '--json'], { env: homeOf(kind) })
    const to = textAt(key.json, 'keys.0.address') as `0x${string}`
    const hash = await sendTransaction(market.as.owner, { to, value: parseEther('1'), chain: null } as never)
    await waitForTransactionReceipt(market.as.owner, { hash })
    const config = JSON.parse(await readFile(at(kind, '.oikos', 'config.json'), 'utf8'))
    const owner = { ...homeOf(kind), OIKOS_PRIVATE_KEY: fundedKey(0) }
    await writeFile(
      at(kind, '.oikos', 'config.json'),
      JSON.stringify({ rpc: config.rpc, assets: { USDC: agents.token } }),
    )
    const born = await bench.run(
      [
        ...['agent', 'create', kind, 'AGENT', '--price', '1.00 USDC', '--executor', 'executor', '--guardian', to],
        ...['--policy', 'scope-policy.json', '--metadata', 'about.json', '--yes', '--json'],
      ],
      { env: owner, cwd: at(kind) },
    )
    expect(born.code, born.err).toBe(0)
    await writeFile(at(kind, '.oikos', 'config.json'), JSON.stringify(config))
    const agent = textAt(born.json, 'agent')
    const ran = await bench.run(['agent', 'run', agent, '--config', 'operator.json', '--dry-run', '--once', '--json'], {
      env: homeOf(kind),
      cwd: at(kind),
    })
    expect(ran.code, ran.err).toBe(0)
    expect(ran.json).toMatchObject({ ok: true, status: 'idle' })
  })
})

describe('what is there already', () => {
  it('is never overwritten, and nothing is written beside it', async () => {
    const again = await place.bench.run(['init', 'labels', '--yes'], { env: passphrase })
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('nothing is overwritten')])
    const { run, folder, stop } = await createWorkbench()
    await writeFile(join(folder, 'README.md'), 'mine')
    const { code, err } = await run(['init', '--yes', '--no-keys', '--name', 'Mine'])
    expect([code, err]).toEqual([2, expect.stringContaining('README.md')])
    expect((await readdir(folder)).sort()).toEqual(['README.md', 'home'])
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('mine')
    await stop()
  })
})

describe('what cannot be made', () => {
  it.each<[string[], Record<string, string>, number, string]>([
    [['x', '--yes'], {}, 2, 'passphrase'],
    [['x', '--no-keys'], {}, 2, 'Add --yes'],
    [['x', '--yes', '--no-keys', '--template', 'magic'], {}, 2, 'labels or reports'],
    [['x', '--yes', '--no-keys', '--name', 'a\u001b[2J'], {}, 2, 'no name'],
    [['x', '--yes', '--no-keys', '--deployments', 'nowhere.json'], {}, 2, 'deployments'],
  ])('%j leaves nothing behind', async (args, env, exitCode, sentence) => {
    const { run, folder, stop } = await createWorkbench()
    const { code, err } = await run(['init', ...args], { env })
    expect([code, err]).toEqual([exitCode, expect.stringContaining(sentence)])
    expect(await readdir(folder)).toEqual(['home'])
    await stop()
  })

  it('is asked about where somebody can be asked, and left alone after a no', async () => {
    const { run, folder, stop } = await createWorkbench()
    expect((await run(['init', 'x', '--no-keys'], { answers: ['n'] })).code).toBe(6)
    expect(await readdir(folder)).toEqual(['home'])
    const made = await run(['init', 'x'], { answers: ['y', 'secret', 'secret'] })
    expect(made.code, made.err).toBe(0)
    expect(await readdir(join(folder, 'x', '.oikos'))).toContain('keystore')
    expect(made.out + made.err).not.toContain('secret')
    await stop()
  })

  it('without keys and contracts it is a project all the same, which can pay nobody', async () => {
    const { run, folder, stop } = await createWorkbench()
    const made = await run(['init', 'x', '--no-keys', '--yes', '--json'])
    expect(made.code, made.err).toBe(0)
    const policy = parsePolicy(await readFile(join(folder, 'x', 'payment-policy.json')))
    expect(policy.document.network_policies[0]).toMatchObject({ max_amount_atomic: 1n, max_rolling_24h_atomic: 1n })
    expect(
      compilePolicy(parsePolicyDocument(await readFile(join(folder, 'x', 'scope-policy.json')))).policy.rules,
    ).toEqual([])
    expect(await readdir(join(folder, 'x', '.oikos'))).toEqual(['config.json'])
    await stop()
  })
})
