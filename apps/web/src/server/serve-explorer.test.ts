import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Explorer, serveExplorer } from './serve-explorer.ts'

type Behind = { readonly url: string; readonly asked: string[]; readonly stop: () => Promise<void> }

/** A server behind the explorer that remembers what it was asked. */
async function startBehind(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Behind> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

let folder: string
let explorer: Explorer
let behind: Behind

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oikos-site-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), `<!doctype html><title>Oikos</title>${'<p>page</p>'.repeat(100)}`)
  await writeFile(join(folder, 'assets', 'main-1234.js'), 'export {}')
  behind = await startBehind((request, response) => {
    if (request.url === '/v1/slow') return
    response.setHeader('content-type', request.url?.startsWith('/ipfs/') === true ? 'text/html' : 'application/json')
    response.setHeader('set-cookie', 'session=1')
    response.end('{"behind":true}')
  })
  explorer = await serveExplorer({
    chains: [
      {
        chainId: 11155111,
        network: 'local',
        rpcUrl: behind.url,
        hasTestAccounts: true,
        taskTokens: [],
        agentFactories: [],
      },
    ],
    apiUrl: behind.url,
    gatewayUrl: behind.url,
    siteFolder: folder,
  })
})

afterAll(async () => {
  await explorer.stop()
  await behind.stop()
  await rm(folder, { recursive: true, force: true })
})

const rpc = (
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  chain = '11155111',
) => fetch(`${explorer.url}/rpc/${chain}`, { method: 'POST', headers, body: JSON.stringify(body) })

describe('the explorer', () => {
  it('lets nothing run but its own files', async () => {
    const { headers } = await fetch(explorer.url)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('gives the page for every address of a page, and assets for good', async () => {
    expect(await (await fetch(`${explorer.url}/agent/1/0xabc?tab=books`)).text()).toContain('<title>Oikos</title>')
    const asset = await fetch(`${explorer.url}/assets/main-1234.js`)
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect(asset.headers.get('content-type')).toContain('text/javascript')
    expect((await fetch(explorer.url)).headers.get('cache-control')).toBe('no-cache')
  })

  it.each(['/assets/missing.js', '/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/etc/passwd.txt', '/.git/config.json'])(
    'has no file at %s',
    async (path) => {
      expect((await fetch(`${explorer.url}${path}`)).status).toBe(404)
    },
  )

  it('tells the page its chains and not where their nodes are', async () => {
    const text = await (await fetch(`${explorer.url}/config.json`)).text()
    expect(JSON.parse(text)).toMatchObject({ chains: [{ chainId: 11155111, rpcPath: '/rpc/11155111' }] })
    expect(text).not.toContain(behind.url)
  })

  it('passes questions to the index on, and no cookies back', async () => {
    const response = await fetch(`${explorer.url}/api/v1/market?sort=reward`)
    expect(await response.json()).toEqual({ behind: true })
    expect(behind.asked.at(-1)).toBe('GET /v1/market?sort=reward')
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('gives bytes of strangers as something that cannot run here', async () => {
    const { headers } = await fetch(`${explorer.url}/ipfs/bafy`)
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('passes reading and signed transactions to the node', async () => {
    expect((await rpc({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] })).status).toBe(200)
    expect((await rpc([{ method: 'eth_chainId' }, { method: 'eth_sendRawTransaction' }])).status).toBe(200)
  })

  it.each([
    ['anvil_setBalance'],
    ['eth_sendTransaction'],
    ['personal_unlockAccount'],
    ['debug_traceCall'],
    ['evm_increaseTime'],
  ])('does not pass %s on', async (method) => {
    const before = behind.asked.length
    expect((await rpc({ method })).status).toBe(403)
    expect((await rpc([{ method: 'eth_call' }, { method }])).status).toBe(403)
    expect(behind.asked.length).toBe(before)
  })

  it('refuses what a form of another page could send, unknown chains, and large bodies', async () => {
    expect((await rpc({ method: 'eth_call' }, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await rpc({ method: 'eth_call' }, undefined, '1')).status).toBe(404)
    expect((await rpc({ method: 'eth_call', params: ['x'.repeat(600_000)] })).status).toBe(413)
    expect((await fetch(`${explorer.url}/rpc/11155111`)).status).toBe(405)
    expect((await fetch(`${explorer.url}/api/v1/market`, { method: 'DELETE' })).status).toBe(405)
  })

  it('says so where what stands behind it does not answer', async () => {
    const alone = await serveExplorer({
      chains: [],
      apiUrl: 'http://127.0.0.1:9',
      gatewayUrl: 'http://127.0.0.1:9',
      siteFolder: folder,
    })
    try {
      const response = await fetch(`${alone.url}/api/v1/status`)
      expect(response.status).toBe(502)
      expect(await response.json()).toMatchObject({ error: { code: 'unavailable', retryable: true } })
    } finally {
      await alone.stop()
    }
  })

  it('does not start without a built site', async () => {
    const options = { chains: [], apiUrl: behind.url, gatewayUrl: behind.url, siteFolder: join(folder, 'nothing') }
    await expect(serveExplorer(options)).rejects.toThrow('Build it first')
  })
})
