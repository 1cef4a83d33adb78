import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { packTaskPackage, rawCidOf } from '@oikos/core'
import { afterEach, describe, expect, it } from 'vitest'
import { collect, temporaryFolders } from '../../../test/temporary-folder.ts'
import { shardOf } from '../../content/content-store.ts'
import { fetchTaskPackage } from '../../content/fetch-task-package.ts'
import { readCar } from '../../content/read-car.ts'
import { createContentResolver } from '../../content/resolver.ts'
import { openContentStore } from '../content-store.ts'
import { type Gateway, type GatewayOptions, serveContent } from './serve-content.ts'

const folders = temporaryFolders()
const gateways: Gateway[] = []
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close()
})

const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const packed = packTaskPackage({ files: new Map([['TASK.md', text('# Work')]]) })

async function start(options: Partial<GatewayOptions> = {}) {
  const store = await openContentStore(await folders.make())
  const gateway = await serveContent({ store, ...options })
  gateways.push(gateway)
  const get = (path: string, init?: RequestInit) => fetch(`${gateway.url}${path}`, init)
  return { store, gateway, get }
}

/** What fetch cannot send: any Host, any target. */
function rawRequest(url: string, options: { path: string; host?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    request({ hostname, port, path: options.path, headers: options.host ? { host: options.host } : {} }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

describe('the gateway', () => {
  it('serves a block with its type, a strong ETag and immutable caching, and HEAD without a body', async () => {
    const { store, gateway, get } = await start()
    const cid = await store.put(text('# Work'))
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const response = await get(`/ipfs/${cid}`)
    expect([response.status, await response.text()]).toEqual([200, '# Work'])
    const expected = {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '6',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${cid}"`,
      'accept-ranges': 'bytes',
    }
    expect(Object.fromEntries(response.headers)).toMatchObject(expected)
    const head = await get(`/ipfs/${cid}`, { method: 'HEAD' })
    expect(Object.fromEntries(head.headers)).toMatchObject(expected)
    expect(await head.text()).toBe('')
  })

  it('never gives hostile content as a page: nosniff, no script, no frame, sandboxed', async () => {
    const { store, get } = await start()
    const contents = ['<html><script>alert(1)</script></html>', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.4']
    for (const content of contents) {
      const response = await get(`/ipfs/${await store.put(text(content))}`)
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'; form-action 'none'; sandbox",
      )
      expect(response.headers.get('x-frame-options')).toBe('DENY')
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('tells JSON, text, bytes and roots apart', async () => {
    const { store, get } = await start()
    const typeOf = async (path: string) => (await get(path)).headers.get('content-type')
    expect(await typeOf(`/ipfs/${await store.put(text('{"a":1}'))}`)).toBe('application/json')
    expect(await typeOf(`/ipfs/${await store.put(text('{"a":1'))}`)).toBe('text/plain; charset=utf-8')
    for (const bytes of [Uint8Array.of(0, 1, 2), Uint8Array.of(0xff, 0xfe), new Uint8Array()])
      expect(await typeOf(`/ipfs/${await store.put(bytes)}`)).toBe('application/octet-stream')
    const root = await store.put(packed.blocks.get(packed.rootCid) ?? new Uint8Array(), 'dag-cbor')
    expect(await typeOf(`/ipfs/${root}`)).toBe('application/vnd.ipld.raw')
    const raw = await get(`/ipfs/${await store.put(text('x'))}?format=raw`)
    expect(raw.headers.get('content-type')).toBe('application/vnd.ipld.raw')
    expect(raw.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it('answers single ranges, refuses those that name no byte, and ignores what it does not know', async () => {
    const { store, get } = await start()
    const cid = await store.put(text('0123456789'))
    const ask = async (range: string, more: Record<string, string> = {}) => {
      const response = await get(`/ipfs/${cid}`, { headers: { range, ...more } })
      return [response.status, response.headers.get('content-range'), await response.text()]
    }
    expect(await ask('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await ask('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await ask('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await ask('bytes=-99')).toEqual([206, 'bytes 0-9/10', '0123456789'])
    expect(await ask('bytes=5-99')).toEqual([206, 'bytes 5-9/10', '56789'])
    expect((await ask('bytes=10-')).slice(0, 2)).toEqual([416, 'bytes */10'])
    expect((await ask('bytes=-0')).slice(0, 2)).toEqual([416, 'bytes */10'])
    for (const range of ['bytes=4-2', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b', 'bytes=-'])
      expect(await ask(range)).toEqual([200, null, '0123456789'])
    expect(await ask('bytes=2-4', { 'if-range': `"${cid}"` })).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await ask('bytes=2-4', { 'if-range': '"other"' })).toEqual([200, null, '0123456789'])
  })

  it('answers 304 to whoever has the bytes', async () => {
    const { store, get } = await start()
    const cid = await store.put(text('x'))
    const status = async (tag: string) =>
      (await get(`/ipfs/${cid}`, { headers: { 'if-none-match': tag, 'cache-control': 'no-transform' } })).status
    expect(await status(`"a", W/"${cid}"`)).toBe(304)
    expect(await status('*')).toBe(304)
    expect(await status('"other"')).toBe(200)
  })

  it('gives a package as a CAR, and 404 while a leaf of it is missing', async () => {
    const { store, get } = await start()
    await store.put(packed.blocks.get(packed.rootCid) ?? new Uint8Array(), 'dag-cbor')
    const path = `/ipfs/${packed.rootCid}?format=car`
    expect((await get(path)).status).toBe(404)
    for (const [cid, bytes] of packed.blocks) if (cid !== packed.rootCid) await store.put(bytes)
    const response = await get(path)
    expect(response.headers.get('content-type')).toBe('application/vnd.ipld.car; version=1; order=unk; dups=n')
    const { roots, blocks } = await readCar(response.body as AsyncIterable<Uint8Array>)
    expect(roots).toEqual([packed.rootCid])
    expect((await collect(blocks)).map(({ cid }) => cid).sort()).toEqual([...packed.blocks.keys()].sort())
    const accepted = await get(`/ipfs/${packed.rootCid}`, { headers: { accept: 'application/vnd.ipld.car' } })
    expect(accepted.headers.get('content-type')).toMatch(/^application\/vnd.ipld.car/)
    await accepted.body?.cancel()
  })

  it('is what a resolver needs as a gateway', async () => {
    const { store, gateway } = await start()
    for (const [cid, bytes] of packed.blocks) await store.put(bytes, cid === packed.rootCid ? 'dag-cbor' : 'raw')
    const resolver = createContentResolver({ gateways: [gateway.url], fetch })
    const { verdict } = await fetchTaskPackage({ taskHash: packed.taskHash, resolver })
    expect(verdict.findings).toEqual([])
  })

  it('gives no byte of a block that was changed on disk', async () => {
    const { store, get } = await start()
    const cid = await store.put(text('block'))
    await writeFile(join(store.folder, shardOf(cid), cid), 'other')
    const response = await get(`/ipfs/${cid}`)
    expect([response.status, await response.text()]).toEqual([500, 'the block is damaged here\n'])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('refuses other methods, paths, CIDs, formats, and blocks above its limit', async () => {
    const { store, get, gateway } = await start({ limits: { maxBlockBytes: 4 } })
    const cid = await store.put(text('block'))
    const status = async (path: string, init?: RequestInit) => (await get(path, init)).status
    expect(await status(`/ipfs/${cid}`, { method: 'POST' })).toBe(405)
    expect(await status('/')).toBe(404)
    expect(await status('/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG')).toBe(400)
    expect(await status(`/ipfs/${cid}?format=html`)).toBe(400)
    expect(await status(`/ipfs/${rawCidOf(text('none'))}`)).toBe(404)
    expect(await status(`/ipfs/${cid}`)).toBe(413)
    expect(await rawRequest(gateway.url, { path: `/ipfs/../${shardOf(cid)}/${cid}` })).toBe(404)
    expect(await rawRequest(gateway.url, { path: `/ipfs/%2e%2e` })).toBe(400)
    expect(await rawRequest(gateway.url, { path: `/ipfs/${'a'.repeat(2000)}` })).toBe(414)
  })

  it('answers on loopback to loopback names only, so that no page reaches it under a name of its own', async () => {
    const { store, gateway } = await start()
    const path = `/ipfs/${await store.put(text('x'))}`
    expect(await rawRequest(gateway.url, { path, host: 'attacker.example' })).toBe(403)
    expect(await rawRequest(gateway.url, { path, host: 'localhost:80' })).toBe(200)
  })

  it('answers 503 beyond the memory that it may use, and recovers', async () => {
    const { store, gateway, get } = await start({ limits: { maxBytesInFlight: 10_000_000 } })
    const cid = await store.put(new Uint8Array(8_000_000))
    const held = await new Promise<import('node:http').IncomingMessage>((resolve) =>
      request(`${gateway.url}/ipfs/${cid}`, resolve).end(),
    )
    const busy = await get(`/ipfs/${cid}`)
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1'])
    held.resume()
    await new Promise((resolve) => held.once('end', resolve))
    await expect.poll(async () => (await get(`/ipfs/${cid}`, { method: 'HEAD' })).status).toBe(200)
  })

  it('lets pages of others in only when told', async () => {
    const { store, get } = await start({ allowOrigin: '*' })
    const response = await get(`/ipfs/${await store.put(text('x'))}`)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('says when it cannot listen', async () => {
    const { store, gateway } = await start()
    const port = Number(new URL(gateway.url).port)
    await expect(serveContent({ store, port })).rejects.toMatchObject({ name: 'GatewayListenError' })
  })
})
