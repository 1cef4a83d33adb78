import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Cid, dagCborCidOf, packTaskPackage, rawCidOf } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { loopbackServers } from '../../../test/loopback-server.ts'
import { createMemoryStore } from '../../../test/memory-store.ts'
import { pinToNode } from './pin-to-node.ts'
import { pinToService } from './pin-to-service.ts'

const servers = loopbackServers()
const packed = packTaskPackage({ files: new Map([['TASK.md', new TextEncoder().encode('# Work')]]) })
const cid = rawCidOf(new TextEncoder().encode('x'))
const sleep = async () => {}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

const answer = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** A node that keeps blocks as Kubo does, and says what it was asked. */
function stubNode() {
  const blocks = new Map<string, Uint8Array>()
  const asked: string[] = []
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://node')
    asked.push(`${request.method} ${url.pathname}`)
    if (url.pathname === '/api/v0/block/put') {
      const body = await bodyOf(request)
      const type = String(request.headers['content-type'])
      const part = (await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()).get(
        'data',
      )
      const bytes = new Uint8Array(await (part as Blob).arrayBuffer())
      const key = url.searchParams.get('cid-codec') === 'dag-cbor' ? dagCborCidOf(bytes) : rawCidOf(bytes)
      blocks.set(key, bytes)
      return answer(response, 200, { Key: key, Size: bytes.length })
    }
    const arg = url.searchParams.get('arg') ?? ''
    if (!blocks.has(arg)) return answer(response, 500, { Message: 'not found', Code: 0, Type: 'error' })
    return answer(response, 200, { Pins: [arg] })
  }
  return { blocks, asked, listener }
}

describe('pinToNode', () => {
  it('gives the node every block of a package, leaves first, and has it pin the root', async () => {
    const node = stubNode()
    const source = createMemoryStore()
    for (const [key, bytes] of packed.blocks) source.blocks.set(key, bytes)
    const url = await servers.start(node.listener)
    const pin = await pinToNode({ url, fetch }, { cid: packed.rootCid, source })
    expect(pin).toEqual({ cid: packed.rootCid, uploaded: packed.blocks.size })
    expect([...node.blocks.keys()].at(-1)).toBe(packed.rootCid)
    expect([...node.blocks.keys()].sort()).toEqual([...packed.blocks.keys()].sort())
    expect(node.asked.at(-1)).toBe('POST /api/v0/pin/add')
  })

  it('believes a node only that names what was asked', async () => {
    const other = await servers.start((_request, response) => answer(response, 200, { Pins: ['bafkother'] }))
    await expect(pinToNode({ url: other, fetch }, { cid })).rejects.toMatchObject({ code: 'bad-answer', cid })
    const source = createMemoryStore()
    await source.put(new TextEncoder().encode('x'))
    const liar = await servers.start((_request, response) => answer(response, 200, { Key: 'bafkother' }))
    await expect(pinToNode({ url: liar, fetch }, { cid, source })).rejects.toMatchObject({ code: 'bad-answer' })
  })

  it('gives each way to fail its own code', async () => {
    const node = stubNode()
    const refusing = await servers.start(node.listener)
    const fails = (url: string) => expect(pinToNode({ url, fetch, timeoutMs: 500 }, { cid })).rejects
    await fails(refusing).toMatchObject({ code: 'refused', retryable: false })
    await fails('http://node.example').toMatchObject({ code: 'bad-endpoint' })
    await fails('http://127.0.0.1:9').toMatchObject({ code: 'unreachable', retryable: true })
    await fails(await servers.start(() => {})).toMatchObject({ code: 'unreachable' })
    await fails(await servers.start((_r, response) => response.writeHead(401).end())).toMatchObject({
      code: 'unauthorized',
    })
    await fails(await servers.start((_r, response) => response.end('<html>'))).toMatchObject({ code: 'bad-answer' })
    const away = await servers.start((_r, response) => response.writeHead(302, { location: 'https://a.example' }).end())
    await fails(away).toMatchObject({ code: 'bad-answer' })
    const endless = await servers.start((_r, response) => response.end('x'.repeat(300_000)))
    await fails(endless).toMatchObject({ code: 'bad-answer' })
  })
})

describe('pinToService', () => {
  const pinOf = (status: string, of: Cid = cid) => ({
    requestid: 'r/1',
    status,
    created: '',
    pin: { cid: of },
    delegates: [],
  })

  /** A service that gives these states one after another. */
  async function stubService(states: readonly string[], existing = false) {
    const left = [...states]
    const asked: string[] = []
    const tokens = new Set<string | undefined>()
    const url = await servers.start(async (request, response) => {
      asked.push(`${request.method} ${request.url?.split('?')[0]}`)
      tokens.add(request.headers.authorization)
      if (request.method === 'GET' && request.url?.startsWith('/pins?')) {
        return answer(response, 200, { count: Number(existing), results: existing ? [pinOf(left.shift() ?? '')] : [] })
      }
      if (request.method === 'POST')
        expect(JSON.parse(String(await bodyOf(request)))).toEqual({ cid, name: 'a record' })
      return answer(response, request.method === 'POST' ? 202 : 200, pinOf(left.shift() ?? ''))
    })
    return { url, asked, tokens }
  }

  const options = { cid, name: 'a record', sleep }

  it('orders a pin with its token and waits until it is pinned', async () => {
    const { url, asked, tokens } = await stubService(['queued', 'pinning', 'pinned'])
    expect(await pinToService({ url, fetch, token: 'secret' }, options)).toEqual({ cid, requestId: 'r/1' })
    expect(asked).toEqual(['GET /pins', 'POST /pins', 'GET /pins/r%2F1', 'GET /pins/r%2F1'])
    expect([...tokens]).toEqual(['Bearer secret'])
  })

  it('takes up an order that exists and never orders twice', async () => {
    const { url, asked } = await stubService(['pinning', 'pinned'], true)
    await pinToService({ url, fetch }, options)
    expect(asked).toEqual(['GET /pins', 'GET /pins/r%2F1'])
  })

  it('says that it failed, that it is not finished, or that the service speaks of something else', async () => {
    const run = async (states: readonly string[], polls = 2) =>
      pinToService({ url: (await stubService(states)).url, fetch, token: 'secret' }, { ...options, polls })
    await expect(run(['queued', 'failed'])).rejects.toMatchObject({ code: 'failed' })
    await expect(run(['queued', 'queued', 'queued'])).rejects.toMatchObject({ code: 'pending', retryable: true })
    await expect(run(['odd'])).rejects.toMatchObject({ code: 'bad-answer' })
    const other = await servers.start((request, response) =>
      answer(response, 200, request.method === 'GET' ? { results: [pinOf('pinned', packed.rootCid)] } : {}),
    )
    const lied = await pinToService({ url: other, fetch, token: 'secret' }, options).catch((error: Error) => error)
    expect(lied).toMatchObject({ code: 'bad-answer' })
    expect(String((lied as Error).message)).not.toContain('secret')
  })
})
