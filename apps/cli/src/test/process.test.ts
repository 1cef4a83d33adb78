import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const main = join(import.meta.dirname, '..', 'main.ts')
let home: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'oikos-process-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

type Ended = { code: number | null; out: string; err: string }

function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, OIKOS_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString('utf8')
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, out, err })))
  return { child, ended }
}

describe('the program', () => {
  it('prints help without colours where there is no terminal', async () => {
    const { code, out, err } = await start(['--help']).ended
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Exit codes:')
    expect(out).not.toContain('\u001b')
  })

  it('gives its exit code to the shell', async () => {
    expect((await start(['task', 'nonsense']).ended).code).toBe(2)
    expect((await start(['key', 'address', 'nobody']).ended).code).toBe(4)
  })

  it('encrypts a new key with the work that is documented', async () => {
    const made = await start(['key', 'new', 'anna'], { OIKOS_PASSPHRASE: 'pass' }).ended
    expect(made.code).toBe(0)
    const file = JSON.parse(await readFile(join(home, 'keystore', 'anna.json'), 'utf8'))
    expect(file.crypto.kdfparams).toMatchObject({ n: 262_144, r: 8, p: 1, dklen: 32 })
  })

  it('says commands as they are typed in a checkout', async () => {
    const { err } = await start(['task', 'init', 'mine'], { npm_lifecycle_event: 'oikos' }).ended
    expect(err).toContain('npm run oikos -- task pack mine')
  })

  it('ends with 130 on Ctrl-C while a node does not answer', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const asked = new Promise<void>((resolve) => server.once('connection', () => resolve()))
    const { port } = server.address() as AddressInfo
    const { child, ended } = start(['task', 'list', '--rpc', `http://127.0.0.1:${port}`])
    await asked
    child.kill('SIGINT')
    const { code, err } = await ended
    expect(code).toBe(130)
    expect(err).toContain('Interrupted')
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})
