import { symlink } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BlockTooLargeError, type Cid, packTaskPackage, rawCidOf } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { loopbackServers } from '../../test/loopback-server.ts'
import { temporaryFolders } from '../../test/temporary-folder.ts'
import { openContentStore } from '../node/content-store.ts'
import { readLocalFile } from '../node/local-file.ts'
import { createContentResolver } from './resolver.ts'

const servers = loopbackServers()
const folders = temporaryFolders()
const BYTES = new TextEncoder().encode('the block')
const CID = rawCidOf(BYTES)

/** A gateway over blocks; `answer` may take a request over. */
function gatewayOf(blocks: ReadonlyMap<Cid, Uint8Array>): RequestListener {
  return (request, response) => {
    const cid = /^\/ipfs\/([a-z0-9]+)\?format=raw$/.exec(request.url ?? '')?.[1] as Cid | undefined
    const bytes = cid && blocks.get(cid)
    response.writeHead(bytes ? 200 : 404)
    response.end(bytes)
  }
}

const blocks = new Map<Cid, Uint8Array>([[CID, BYTES]])

describe('createContentResolver: blocks by CID', () => {
  it('takes the store first, then the gateways in order', async () => {
    const store = await openContentStore(await folders.make())
    const gateway = await servers.start(gatewayOf(blocks))
    const resolver = createContentResolver({ store, gateways: [`${gateway}/`], fetch })
    expect(await resolver.resolve(`ipfs://${CID}`)).toMatchObject({ ok: true, from: gateway })
    await store.put(BYTES)
    expect(await resolver.resolve(`ipfs://${CID}`)).toMatchObject({ ok: true, from: 'store', bytes: BYTES })
  })

  it('reports a gateway that gives other bytes and asks the next one', async () => {
    const lying = await servers.start((_request, response) => void response.end('other bytes'))
    const honest = await servers.start(gatewayOf(blocks))
    const resolver = createContentResolver({ gateways: [lying, honest], fetch })
    const source = resolver.source()
    expect(await source.get(CID, { maxBytes: 100 })).toEqual(BYTES)
    expect(source.attempts.map(({ from, outcome }) => [from, outcome])).toEqual([
      [lying, 'mismatch'],
      [honest, 'ok'],
    ])
    const alone = createContentResolver({ gateways: [lying], fetch })
    expect(await alone.resolve(`ipfs://${CID}`)).toMatchObject({ ok: false, code: 'mismatch' })
  })

  it('says undefined when nobody has the block, and why for each', async () => {
    const gateway = await servers.start((_request, response) => void response.writeHead(500).end())
    const resolver = createContentResolver({ gateways: [gateway, await servers.start(gatewayOf(new Map()))], fetch })
    const source = resolver.source()
    expect(await source.get(CID, { maxBytes: 100 })).toBeUndefined()
    expect(source.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'missing'])
  })

  it('ends an answer that is larger than allowed, declared or not', async () => {
    const declared = await servers.start((_request, response) => void response.end(BYTES))
    const endless = await servers.start((_request, response) => {
      const write = () => {
        while (response.write(new Uint8Array(65_536)));
        response.once('drain', write)
      }
      write()
    })
    const source = createContentResolver({ gateways: [declared, endless], fetch }).source()
    await expect(source.get(CID, { maxBytes: 5 })).rejects.toBeInstanceOf(BlockTooLargeError)
    expect(source.attempts.map(({ outcome }) => outcome)).toEqual(['too-large', 'too-large'])
  })

  it('ends an answer that takes too long, before and in the body', async () => {
    const silent = await servers.start(() => {})
    const slow = await servers.start((_request, response) => void response.write('the'))
    const source = createContentResolver({ gateways: [silent, slow], fetch, limits: { timeoutMs: 150 } }).source()
    expect(await source.get(CID, { maxBytes: 100 })).toBeUndefined()
    expect(source.attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout'])
  })

  it('follows few redirects, and none to where a URI could not lead', async () => {
    const honest = await servers.start(gatewayOf(blocks))
    const good = await servers.start(
      (request, response) => void response.writeHead(302, { location: `${honest}${request.url}` }).end(),
    )
    const loop = await servers.start(
      (request, response) => void response.writeHead(302, { location: request.url }).end(),
    )
    const bad = await servers.start(
      (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/x' }).end(),
    )
    const file = await servers.start(
      (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    )
    const source = createContentResolver({ gateways: [loop, bad, file, good], fetch }).source()
    expect(await source.get(CID, { maxBytes: 100 })).toEqual(BYTES)
    expect(source.attempts.map(({ outcome }) => outcome)).toEqual(['redirect', 'redirect', 'redirect', 'ok'])
  })

  it('throws the reason of an aborted signal', async () => {
    const silent = await servers.start(() => {})
    const controller = new AbortController()
    const reason = new Error('enough')
    setTimeout(() => controller.abort(reason), 50)
    const source = createContentResolver({ gateways: [silent], fetch }).source({ signal: controller.signal })
    await expect(source.get(CID, { maxBytes: 100 })).rejects.toBe(reason)
  })
})

describe('createContentResolver: URIs', () => {
  const packed = packTaskPackage({
    files: new Map([
      ['TASK.md', BYTES],
      ['data/\u00e9.txt', BYTES],
    ]),
  })

  it('finds a package path below the CID of a root', async () => {
    const gateway = await servers.start(gatewayOf(packed.blocks))
    const resolver = createContentResolver({ gateways: [gateway], fetch })
    expect(await resolver.resolve(`ipfs://${packed.rootCid}/data/%C3%A9.txt`)).toMatchObject({ ok: true, bytes: BYTES })
    expect(await resolver.resolve(`ipfs://${packed.rootCid}/none`)).toMatchObject({ ok: false, code: 'bad-uri' })
    expect(await resolver.resolve(`ipfs://${packed.rootCid}/TASK.md`, { cid: packed.rootCid })).toMatchObject({
      code: 'mismatch',
    })
  })

  it('takes a path below a foreign CID only against an expected CID', async () => {
    const gateway = await servers.start((request, response) => {
      response.writeHead(request.url === '/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/a%20b' ? 200 : 404)
      response.end(BYTES)
    })
    const resolver = createContentResolver({ gateways: [gateway], fetch })
    const uri = 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/a b'
    expect(await resolver.resolve(uri)).toMatchObject({ ok: false, code: 'unverifiable' })
    expect(await resolver.resolve(uri, { cid: CID })).toMatchObject({ ok: true, bytes: BYTES })
    expect(await resolver.resolve(uri, { cid: packed.rootCid })).toMatchObject({ ok: false, code: 'mismatch' })
  })

  it('takes http on loopback, compared with an expected CID, and can be told not to', async () => {
    const server = await servers.start((_request, response) => void response.end(BYTES))
    const resolver = createContentResolver({ fetch })
    expect(await resolver.resolve(`${server}/a`, { cid: CID })).toMatchObject({ ok: true, bytes: BYTES })
    expect(await resolver.resolve(`${server}/a`, { cid: packed.rootCid })).toMatchObject({
      ok: false,
      code: 'mismatch',
    })
    const strict = createContentResolver({ fetch, allowLoopbackUris: false })
    expect(await strict.resolve(`${server}/a`)).toMatchObject({ ok: false, code: 'bad-uri' })
  })

  it('refuses every other scheme, plain http elsewhere, and user information, without a request', async () => {
    const asked: string[] = []
    const spy = async (url: string): Promise<Response> => {
      asked.push(url)
      return new Response('x')
    }
    const resolver = createContentResolver({ fetch: spy, allowLoopbackUris: false })
    const uris = [
      '',
      'x',
      'http://example.org/a',
      'ftp://example.org',
      'data:,x',
      'javascript:1',
      'https://me:pw@example.org/',
      'https://localhost/x',
      'ipfs://',
      'ipfs://a/%E0',
      `ipfs://${'a'.repeat(200)}`,
    ]
    for (const uri of uris) expect(await resolver.resolve(uri), uri).toMatchObject({ ok: false })
    expect(asked).toEqual([])
    expect(await resolver.resolve('https://example.org/a')).toMatchObject({ ok: true })
  })

  it('reads a file only with the reader that it was given, no links, within the bound', async () => {
    const folder = await folders.make({ 'a.bin': BYTES })
    const uri = pathToFileURL(join(folder, 'a.bin')).href
    expect(await createContentResolver({}).resolve(uri)).toMatchObject({ ok: false, code: 'bad-uri' })
    const resolver = createContentResolver({ readFile: readLocalFile })
    expect(await resolver.resolve(uri, { cid: CID })).toMatchObject({ ok: true, bytes: BYTES })
    expect(await resolver.resolve(uri, { maxBytes: 3 })).toMatchObject({
      ok: false,
      attempts: [{ outcome: 'too-large' }],
    })
    expect(await resolver.resolve(`${uri}x`)).toMatchObject({ ok: false, attempts: [{ outcome: 'missing' }] })
    await symlink(join(folder, 'a.bin'), join(folder, 'link'))
    expect(await resolver.resolve(pathToFileURL(join(folder, 'link')).href)).toMatchObject({ ok: false })
    expect(await resolver.resolve(pathToFileURL(folder).href)).toMatchObject({ ok: false })
  })

  it('refuses options that cannot work', () => {
    expect(() => createContentResolver({ gateways: ['http://example.org'], fetch })).toThrow(/only https/)
    expect(() => createContentResolver({ gateways: ['https://example.org'] })).toThrow(/fetch/)
    expect(() =>
      createContentResolver({ gateways: Array.from({ length: 17 }, () => 'https://example.org'), fetch }),
    ).toThrow(/16/)
  })
})
