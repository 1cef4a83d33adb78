import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../run.ts'
import type { Terminal } from '../terminal.ts'
import { callTool, createClient, createMcpBench, type McpBench } from './mcp-bench.ts'

type Served = { url: string; token: string; file: string; asked: string[]; end: () => Promise<number> }

let place: McpBench
let served: Served

beforeAll(async () => {
  place = await createMcpBench()
  served = await serve(place)
})
afterAll(async () => {
  await served?.end()
  await place?.stop()
})

/** Serves in this process, over an environment that tells which of its variables were asked for. */
async function serve({ bench, command, env }: McpBench): Promise<Served> {
  const asked: string[] = []
  const ending = new AbortController()
  const file = join(bench.folder, 'home', 'mcp.json')
  let told: (text: string) => void = () => {}
  const result = new Promise<string>((resolve) => {
    told = resolve
  })
  const refuse = async (): Promise<never> => {
    throw new Error('nobody is asked')
  }
  const terminal: Terminal = {
    ...{ writeOut: told, writeError: () => {}, colourOut: false, colourError: false, interactive: false, columns: 80 },
    env: new Proxy<Record<string, string>>(
      { ...env, OIKOS_PRIVATE_KEY: `0x${'01'.repeat(32)}`, OIKOS_PASSPHRASE: 'secret' },
      {
        get: (target, name) => {
          asked.push(String(name))
          return target[String(name)]
        },
        ownKeys: () => {
          throw new Error('the whole environment is read')
        },
      },
    ),
    ...{ cwd: bench.folder, userHome: bench.folder, checkout: join(import.meta.dirname, '../../../..') },
    ...{ ask: refuse, askSecret: refuse, entropy: (length) => new Uint8Array(randomBytes(length)) },
    signal: ending.signal,
  }
  const ended = run([...command, '--http', '0', '--json'], terminal)
  const { url } = JSON.parse(await result) as { url: string }
  const { token } = JSON.parse(await readFile(file, 'utf8')) as { token: string }
  return {
    ...{ url, token, file, asked },
    end: () => {
      ending.abort()
      return ended
    },
  }
}

/** One raw request, with headers that a fetch would not let through. */
function post(headers: Readonly<Record<string, string>>, path = '/mcp', method = 'POST'): Promise<number> {
  const { hostname, port } = new URL(served.url)
  return new Promise((resolve, reject) => {
    const asking = request({
      hostname,
      port,
      path,
      method,
      headers: { 'content-type': 'application/json', ...headers },
    })
    asking.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asking.on('error', reject)
    asking.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
  })
}

const accept = 'application/json, text/event-stream'

describe('a client over HTTP', () => {
  it('calls tools with the bearer token of the private file', async () => {
    expect((await stat(served.file)).mode & 0o777).toBe(0o600)
    const client = createClient()
    const transport = new StreamableHTTPClientTransport(new URL(served.url), {
      requestInit: { headers: { authorization: `Bearer ${served.token}` } },
    })
    await client.connect(transport as Transport)
    const { data } = await callTool(client, 'show_agent', { agent: 'atlas' })
    expect(data).toMatchObject({ isKnown: true })
    const both = await Promise.all([
      callTool(client, 'list_agents'),
      callTool(client, 'list_reasoning', { agent: 'atlas' }),
    ])
    expect(both.map(({ isError }) => isError)).toEqual([false, false])
    const progress: string[] = []
    const params = { name: 'audit', arguments: { what: 'atlas' } }
    await client.callTool(params, undefined, { onprogress: ({ message = '' }) => progress.push(message) })
    expect(progress.join()).toContain('actions')
    await client.close()
  })

  it('is refused without the token, and with a wrong one', async () => {
    expect(await post({ accept })).toBe(401)
    expect(await post({ accept, authorization: 'Bearer ' })).toBe(401)
    expect(await post({ accept, authorization: `Bearer ${served.token}0` })).toBe(401)
    expect(await post({ accept, authorization: `Bearer ${served.token}` })).toBe(200)
  })

  it.each([
    ['a name that was rebound to this machine', { host: 'evil.example' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example' }],
    ['the page of a stranger', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])('is refused when it comes through %s, whatever it knows', async (_, headers) => {
    expect(await post({ accept, authorization: `Bearer ${served.token}`, ...headers })).toBe(403)
  })

  it('is told where the server is, and that it has no sessions', async () => {
    const authorization = `Bearer ${served.token}`
    expect(await post({ accept, authorization }, '/')).toBe(404)
    expect(await post({ accept, authorization }, '/mcp', 'GET')).toBe(405)
    expect(await post({ accept, authorization }, '/mcp', 'DELETE')).toBe(405)
    expect(await post({ accept: 'text/html', authorization })).toBe(406)
  })

  it('cannot send megabytes', async () => {
    const authorization = `Bearer ${served.token}`
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(1_000_000) } })
    const headers = { accept, authorization, 'content-type': 'application/json' }
    expect((await fetch(served.url, { method: 'POST', headers, body })).status).toBe(413)
  })
})

it('asks the environment for no key and no passphrase', async () => {
  expect(served.asked).toContain('OIKOS_RPC_URL')
  expect(served.asked.filter((name) => /KEY$|PASSPHRASE/.test(name))).toEqual([])
})

it('ends in order and takes its token away', async () => {
  expect(await served.end()).toBe(0)
  await expect(stat(served.file)).rejects.toThrow('ENOENT')
  await expect(fetch(served.url, { method: 'POST' })).rejects.toThrow()
})

describe('what cannot be served', () => {
  it.each<[string[], string]>([
    [['--json'], '--json goes with --http'],
    [['--http', '70000'], '--http'],
    [['--proposals', 'proposals'], 'a folder and a policy'],
    [['--proposals', 'proposals', '--policy', 'nowhere.json'], 'nowhere.json'],
  ])('%j is refused', async (args, sentence) => {
    const { code, err } = await place.bench.run(['mcp', ...args])
    expect([code === 2 || code === 4, err]).toEqual([true, expect.stringContaining(sentence)])
  })

  it('overwrites no file that another program wrote', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'oikos-mcp-'))
    const file = join(folder, 'notes.json')
    await writeFile(file, 'mine')
    const { code } = await place.bench.run(['mcp', '--http', '0', '--token-file', file])
    expect([code, await readFile(file, 'utf8')]).toEqual([2, 'mine'])
    await rm(folder, { recursive: true })
  })
})
