import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TaskHash } from '@oikos/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IsolationError } from './errors.ts'
import { describeIsolation, type Isolation } from './isolation.ts'
import { runWorker } from './run-worker.ts'
import type { Worker, WorkFailureCode, WorkLimits, WorkOrder, WorkOutcome } from './worker.ts'
import { createWorkshop, type IsolatedWorkshop } from './workshop.ts'

const hostileFolder = new URL('../../test/workers/hostile/', import.meta.url)
const hostile: Worker = {
  name: 'hostile',
  specProfiles: ['x-hostile-v1'],
  module: new URL('../../test/workers/hostile/attacks.ts', import.meta.url),
}
const limits: WorkLimits = { timeoutMs: 20_000, memoryMiB: 64, outputBytes: 256 * 1024 }
const never = new AbortController().signal
const secret = 'a key that no worker may see'

let folder: string
let workshop: IsolatedWorkshop
let server: Server
let localServer: Server
let victim: ChildProcess
let connections = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oikos-workshop-'))
  await writeFile(join(folder, 'keystore.json'), secret)
  process.env['OIKOS_TEST_SECRET'] = secret
  const listen = async (where: { port: number; host: string } | { path: string }) => {
    const listening = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await once(listening.listen(where), 'listening')
    return listening
  }
  server = await listen({ port: 0, host: '127.0.0.1' })
  localServer = await listen({ path: join(folder, 'signer.sock') })
  victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  workshop = await createWorkshop({ workers: [hostile] })
})

afterAll(async () => {
  delete process.env['OIKOS_TEST_SECRET']
  victim.kill('SIGKILL')
  server.close()
  localServer.close()
  await rm(folder, { recursive: true, force: true })
})

function targets(name: string): string {
  const address = server.address()
  switch (name) {
    case 'port':
      return typeof address === 'object' && address !== null ? String(address.port) : ''
    case 'victim':
      return String(victim.pid)
    case '':
    case '/etc/passwd':
      return name
    default:
      return join(folder, name)
  }
}

function order(attack: string, target = ''): WorkOrder {
  const text = (content: string) => new TextEncoder().encode(content)
  return {
    taskHash: `0x${'00'.repeat(32)}` as TaskHash,
    specProfile: 'x-hostile-v1',
    files: new Map([
      ['attack', text(attack)],
      ['target', text(targets(target))],
    ]),
    resources: new Map(),
    fulfillment: undefined,
  }
}

function attempt(isolation: Isolation, attack: string, target = '', changes: Partial<WorkLimits> = {}) {
  return runWorker(hostile, order(attack, target), { ...limits, ...changes }, isolation, never)
}

function expectFailure(outcome: WorkOutcome, code: WorkFailureCode): void {
  expect(outcome).toMatchObject({ ok: false, code })
  expect(JSON.stringify(outcome)).not.toContain(secret)
}

function expectUnharmed(): void {
  expect(victim.exitCode ?? victim.signalCode).toBeNull()
  expect(connections).toBe(0)
  expect(readdirSync(fileURLToPath(hostileFolder))).toEqual(['attacks.ts'])
  expect(existsSync(join(folder, 'planted'))).toBe(false)
}

/** What a worker does to get out, and how its run ends. */
const ESCAPES: readonly (readonly [attack: string, target: string])[] = [
  ['read a file', '/etc/passwd'],
  ['read a file', 'keystore.json'],
  ['list a folder', ''],
  ['read the environment from /proc', ''],
  ['read the parent from /proc', ''],
  ['write a file', 'planted'],
  ['write to its own folder', ''],
  ['follow a symbolic link', 'keystore.json'],
  ['open a socket', 'port'],
  ['open a datagram', 'port'],
  ['fetch a page', 'port'],
  ['open a local socket', 'signer.sock'],
  ['start a program', ''],
  ['fork bomb', ''],
  ['use a worker thread', ''],
  ['use process.binding', ''],
  ['load an addon', ''],
  ['load code from text', ''],
  ['require past the loader', ''],
  ['kill a process', 'victim'],
  ['kill the parent', ''],
  ['kill a process past the functions', 'victim'],
  ['debug a process', 'victim'],
]

/** That the attempt was held back, and did not merely fail to be made. */
const REFUSALS =
  /restricted|a worker cannot use|requires full fs|is disabled|disallowed|fetch failed|ENETUNREACH|EPERM|ENOENT|ESRCH|ERR_ACCESS_DENIED|there is no parent|process\.binding|is not a function/

describe.each<Isolation>([
  { level: 'namespaces', hasResourceLimits: true },
  { level: 'permissions', hasResourceLimits: true },
  { level: 'guard', hasResourceLimits: false },
])('a hostile worker kept apart by $level (limits of the system: $hasResourceLimits)', (isolation) => {
  // A machine without user namespaces cannot show what they hold back.
  const isMissing = () => isolation.level === 'namespaces' && workshop.isolation.level !== 'namespaces'

  it.for(ESCAPES)('gains nothing from trying to %s (%s)', async ([attack, target], { skip }) => {
    skip(isMissing(), 'this machine has no user namespaces')
    const outcome = await attempt(isolation, attack, target)
    if (attack === 'kill a process past the functions' && outcome.ok)
      expect(outcome.product.files.get('loot')?.toString()).not.toContain('killed: 0')
    else expectFailure(outcome, 'worker.crashed')
    if (!outcome.ok) expect(outcome.message).toMatch(REFUSALS)
    expectUnharmed()
  })

  it('sees an empty environment', async ({ skip }) => {
    skip(isMissing(), 'this machine has no user namespaces')
    const outcome = await attempt(isolation, 'read the environment')
    expect(outcome.ok && Buffer.from(outcome.product.files.get('loot') ?? []).toString()).toBe('{}')
  })
})

describe('a workshop', () => {
  it('uses namespaces wherever the machine has them', () => {
    const flags = ['--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--', 'true']
    const hasNamespaces = spawnSync('unshare', flags).status === 0
    expect(workshop.isolation).toEqual({
      level: hasNamespaces ? 'namespaces' : 'permissions',
      hasResourceLimits: process.platform === 'linux',
    })
  })

  it('needs no limits of the system to keep a worker from files', async () => {
    const weaker = { level: 'permissions', hasResourceLimits: false } as const
    expectFailure(await attempt(weaker, 'read a file', '/etc/passwd'), 'worker.crashed')
    expectFailure(await attempt(weaker, 'hog memory'), 'worker.memory')
  })

  const run = (attack: string, changes: Partial<WorkLimits> = {}) => attempt(workshop.isolation, attack, '', changes)

  it('runs an honest worker', async () => {
    const outcome = await workshop.run(hostile, order('honest'), limits, never)
    expect(outcome.ok && Buffer.from(outcome.product.files.get('out.txt') ?? []).toString()).toBe('work')
  })

  it.each<[string, WorkFailureCode, Partial<WorkLimits>]>([
    ['loop for ever', 'worker.timeout', { timeoutMs: 1_500 }],
    ['wait for ever', 'worker.timeout', { timeoutMs: 1_500 }],
    ['hog memory', 'worker.memory', {}],
    ['send without end', 'worker.output-too-large', {}],
    ['print without end', 'worker.output-too-large', {}],
    ['announce a huge frame', 'worker.output-too-large', {}],
    ['send half a frame', 'worker.output-malformed', {}],
    ['send no JSON', 'worker.output-malformed', {}],
    ['send other JSON', 'worker.output-malformed', {}],
    ['send an unknown kind', 'worker.output-malformed', {}],
    ['send a repeated key', 'worker.output-malformed', {}],
    ['name more files than it sends', 'worker.output-malformed', {}],
    ['send more files than it names', 'worker.output-malformed', {}],
    ['name a file twice', 'worker.output-malformed', {}],
    ['name a path upwards', 'worker.output-malformed', {}],
    ['name an absolute path', 'worker.output-malformed', {}],
    ['name a path with a backslash', 'worker.output-malformed', {}],
    ['name a path with a control character', 'worker.output-malformed', {}],
    ['summarise with an escape sequence', 'worker.output-malformed', {}],
    ['summarise at length', 'worker.output-malformed', {}],
    ['make no product', 'worker.crashed', {}],
    ['end without a word', 'worker.crashed', {}],
    ['end with a code', 'worker.crashed', {}],
    ['throw no error', 'worker.crashed', {}],
    ['kill its own group', 'worker.crashed', {}],
    ['crash', 'worker.crashed', {}],
    ['refuse', 'worker.refused', {}],
    ['an attack that does not exist', 'worker.crashed', {}],
  ])('ends a worker that would %s with %s', async (attack, code, changes) => {
    expectFailure(await run(attack, changes), code)
    expectUnharmed()
  })

  it('bounds buffers outside of the heap where the system has limits', async ({ skip }) => {
    skip(!workshop.isolation.hasResourceLimits, 'this system has no such limits')
    expectFailure(await run('hog buffers'), 'worker.memory')
  })

  it('has nobody to signal in its own namespace', async ({ skip }) => {
    skip(workshop.isolation.level !== 'namespaces', 'this machine has no user namespaces')
    expectFailure(await run('signal everybody'), 'worker.crashed')
  })

  it('takes a file called __proto__ as a file and pollutes no prototype', async () => {
    const outcome = await run('pollute prototypes')
    expect(outcome.ok && [...outcome.product.files.keys()]).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('cannot read through a link that leads out of what it may read', async () => {
    const own = await mkdtemp(join(folder, 'own-'))
    await symlink(join(folder, 'keystore.json'), join(own, 'link'))
    const worker: Worker = { ...hostile, readable: [new URL(`file://${own}/`)] }
    const linked = order('read a file')
    const files = new Map(linked.files).set('target', new TextEncoder().encode(join(own, 'link')))
    expectFailure(await workshop.run(worker, { ...linked, files }, limits, never), 'worker.crashed')
  })

  it('ends a worker whose order is cancelled, before it begins and while it runs', async () => {
    expectFailure(await workshop.run(hostile, order('honest'), limits, AbortSignal.abort()), 'worker.cancelled')
    const soon = AbortSignal.timeout(700)
    expectFailure(await workshop.run(hostile, order('loop for ever'), limits, soon), 'worker.cancelled')
  })

  it('ends a worker while a large order is on its way to it', async () => {
    const large = { ...order('honest'), resources: new Map([['large', new Uint8Array(48 * 1024 * 1024)]]) }
    for (const delayMs of [1, 20, 100])
      expectFailure(await workshop.run(hostile, large, limits, AbortSignal.timeout(delayMs)), 'worker.cancelled')
  })

  it('refuses an order that is larger than a worker takes', async () => {
    const large = { ...order('honest'), resources: new Map([['large', new Uint8Array(64 * 1024 * 1024)]]) }
    expectFailure(await workshop.run(hostile, large, limits, never), 'worker.refused')
  })

  it('tells of a module that is not there', async () => {
    const worker = { ...hostile, module: new URL('absent.ts', hostileFolder) }
    expectFailure(await workshop.run(worker, order('honest'), limits, never), 'worker.crashed')
    const nowhere = { ...hostile, module: new URL('nowhere/absent.ts', hostileFolder) }
    expectFailure(await workshop.run(nowhere, order('honest'), limits, never), 'worker.crashed')
  })

  it('does not open below the isolation that was demanded, and says what was found', async () => {
    const attempted = createWorkshop({ workers: [], demand: 'namespaces' })
    if (workshop.isolation.level === 'namespaces') expect((await attempted).isolation.level).toBe('namespaces')
    else await expect(attempted).rejects.toThrow(IsolationError)
    await expect(createWorkshop({ workers: [], signal: AbortSignal.abort() })).rejects.toThrow(
      'permissions was demanded',
    )
  })

  it('says what keeps a worker from what', () => {
    expect(describeIsolation({ level: 'permissions', hasResourceLimits: false })).toContainEqual({
      what: 'network',
      heldBy: 'guard',
    })
    expect(describeIsolation({ level: 'namespaces', hasResourceLimits: true })).toContainEqual({
      what: 'network',
      heldBy: 'system',
    })
  })
})
