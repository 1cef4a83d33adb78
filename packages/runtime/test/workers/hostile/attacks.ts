import type { WorkOrder, WorkProduct } from '../../../src/workers/index.ts'

/**
 * A worker that does what its order names, in earnest: each attack tries to reach something that a worker must not have.
 * One that gets out says so in its product: a file `loot`.
 */
export async function work(order: WorkOrder): Promise<WorkProduct> {
  const attack = text(order, 'attack')
  const attempt = ATTACKS[attack]
  if (attempt === undefined) throw new Error(`no attack is called ${attack}`)
  const loot = await attempt(text(order, 'target'))
  return typeof loot === 'string' ? product({ loot }) : loot
}

function text({ files }: WorkOrder, name: string): string {
  return new TextDecoder().decode(files.get(name))
}

function product(files: Readonly<Record<string, string>>, summary = 'Done.'): WorkProduct {
  const entries = Object.entries(files).map(([path, content]) => [path, new TextEncoder().encode(content)] as const)
  return { files: new Map(entries), summary }
}

async function flood(file: 1 | 2): Promise<never> {
  const { writeSync } = await import('node:fs')
  for (;;) {
    try {
      writeSync(file, 'x'.repeat(65_536))
    } catch {
      // the pipe is full for a moment
    }
  }
}

function frame(payload: string, length = Buffer.byteLength(payload)): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(length)
  return Buffer.concat([prefix, Buffer.from(payload)])
}

/** Writes to the pipe itself and ends, past the runner. */
async function sendRaw(...parts: readonly Buffer[]): Promise<never> {
  const { writeSync } = await import('node:fs')
  for (const part of parts) writeSync(1, part)
  process.exit(0)
}

function files() {
  return import('node:fs')
}

type Attempt = (target: string) => WorkProduct | string | Promise<WorkProduct | string>
const internals = process as unknown as {
  binding(name: string): { open?: unknown }
  _kill?(pid: number, signal: number): number
  _debugProcess(pid: number): void
}

const ATTACKS: Readonly<Record<string, Attempt>> = {
  honest: () => product({ 'out.txt': 'work' }),
  'read a file': async (target) => (await files()).readFileSync(target, 'utf8'),
  'list a folder': async (target) => (await files()).readdirSync(target).join('\n'),
  'read the environment': () => JSON.stringify(process.env),
  'read the environment from /proc': async () => (await files()).readFileSync('/proc/self/environ', 'utf8'),
  'read the parent from /proc': async () => (await files()).readFileSync(`/proc/${process.ppid}/environ`, 'utf8'),
  'write a file': async (target) => {
    const { writeFileSync } = await files()
    writeFileSync(target, 'was here')
    return 'written'
  },
  'write to its own folder': async () => {
    const { writeFileSync } = await files()
    writeFileSync(new URL('./planted.ts', import.meta.url), 'was here')
    return 'written'
  },
  'follow a symbolic link': async (target) => {
    const { readFileSync, symlinkSync } = await files()
    const link = new URL('./link', import.meta.url)
    symlinkSync(target, link)
    return readFileSync(link, 'utf8')
  },
  'open a socket': (target) => connectTo(Number(target)),
  'open a datagram': async (target) => {
    const { createSocket } = await import('node:dgram')
    return await new Promise((resolve, reject) => {
      const socket = createSocket('udp4')
      socket.send('loot', Number(target), '127.0.0.1', (error) => (error ? reject(error) : resolve('sent')))
    })
  },
  'fetch a page': async (target) => (await fetch(`http://127.0.0.1:${target}/`)).text(),
  'open a local socket': (target) => connectTo(target),
  'start a program': async () => {
    const { execFileSync } = await import('node:child_process')
    return execFileSync('/bin/sh', ['-c', 'id'], { encoding: 'utf8' })
  },
  // bounded, so that a wall that is missing costs a failed test and not the machine
  'fork bomb': async () => {
    const { spawn } = await import('node:child_process')
    const forks = Array.from({ length: 20 }, () => spawn('/bin/sleep', ['1']))
    return `forked ${forks.length} times`
  },
  'use a worker thread': async () => {
    const { Worker } = await import('node:worker_threads')
    return String(new Worker('postMessage(1)', { eval: true }).threadId)
  },
  'use process.binding': () => String(internals.binding('fs').open),
  'load an addon': () => {
    const addon = { exports: {} }
    process.dlopen(addon, '/lib/x86_64-linux-gnu/libc.so.6')
    return 'loaded'
  },
  'load code from text': () => String(new Function('return process.pid')()),
  'require past the loader': async () => {
    const { createRequire } = await import('node:module')
    const children = createRequire(import.meta.url)('node:child_process') as typeof import('node:child_process')
    return children.execFileSync('/usr/bin/id', { encoding: 'utf8' })
  },
  'kill a process': (target) => `killed: ${process.kill(Number(target), 'SIGKILL')}`,
  'kill the parent': () => {
    if (process.ppid === 0) throw new Error('there is no parent')
    return `killed: ${process.kill(process.ppid, 'SIGKILL')}`
  },
  'kill its own group': () => `killed: ${process.kill(0, 'SIGKILL')}`,
  'kill a process past the functions': (target) => `killed: ${internals._kill?.(Number(target), 9)}`,
  // signal 0 asks whether there is anybody to signal, and harms nobody
  'signal everybody': () => `reached: ${process.kill(-1, 0)}`,
  'debug a process': (target) => {
    internals._debugProcess(Number(target))
    return 'signalled'
  },
  'loop for ever': () => {
    for (;;);
  },
  'wait for ever': () => new Promise<never>(() => setInterval(() => {}, 1_000)),
  'hog memory': () => {
    const hog: number[][] = []
    for (;;) hog.push(new Array<number>(100_000).fill(hog.length))
  },
  'hog buffers': () => {
    const hog: Buffer[] = []
    for (;;) hog.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  'send without end': () => flood(1),
  'print without end': () => flood(2),
  'announce a huge frame': () => sendRaw(frame('', 0xffff_ffff)),
  'send half a frame': () => sendRaw(frame('{"kind":', 5_000)),
  'send no JSON': () => sendRaw(frame('kind: product')),
  'send other JSON': () => sendRaw(frame('["product"]')),
  'send an unknown kind': () => sendRaw(frame('{"kind":"pay","message":"x"}')),
  'send a repeated key': () => sendRaw(frame('{"kind":"refused","kind":"product","files":[],"summary":"x"}')),
  'name more files than it sends': () =>
    sendRaw(frame('{"kind":"product","summary":"x","files":["a","b"]}'), frame('a')),
  'send more files than it names': () =>
    sendRaw(frame('{"kind":"product","summary":"x","files":["a"]}'), frame('a'), frame('b')),
  'name a file twice': () =>
    sendRaw(frame('{"kind":"product","summary":"x","files":["a","a"]}'), frame('a'), frame('b')),
  'pollute prototypes': () =>
    sendRaw(
      frame('{"__proto__":{"polluted":true},"kind":"product","summary":"x","files":["__proto__"],"constructor":{}}'),
      frame('polluted'),
    ),
  'end without a word': () => process.exit(0),
  'end with a code': () => process.exit(3),
  'throw no error': () => {
    throw 'a text'
  },
  'name a path upwards': () => product({ '../../escaped.txt': 'x' }),
  'name an absolute path': () => product({ '/etc/cron.d/escaped': 'x' }),
  'name a path with a backslash': () => product({ '..\\escaped.txt': 'x' }),
  'name a path with a control character': () => product({ 'a\u0000.txt': 'x' }),
  'make no product': () => ({ files: { 'a.txt': 'x' }, summary: 'x' }) as unknown as WorkProduct,
  'summarise with an escape sequence': () => product({ 'a.txt': 'x' }, 'Done.\u001b[2J\u202e'),
  'summarise at length': () => product({ 'a.txt': 'x' }, 'x'.repeat(2_001)),
  refuse: () => {
    const error = new Error('this is no work for me')
    error.name = 'WorkRefusal'
    throw error
  },
  crash: () => {
    throw new TypeError('it broke')
  },
}

async function connectTo(target: number | string): Promise<string> {
  const { connect } = await import('node:net')
  return await new Promise((resolve, reject) => {
    const socket = typeof target === 'number' ? connect({ port: target, host: '127.0.0.1' }) : connect({ path: target })
    socket.once('connect', () => resolve('connected'))
    socket.once('error', reject)
  })
}
