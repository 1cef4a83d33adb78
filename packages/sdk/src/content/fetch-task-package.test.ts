import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packTaskPackage, parseTaskHash } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { loopbackServers } from '../../test/loopback-server.ts'
import { collect, temporaryFolders } from '../../test/temporary-folder.ts'
import { openContentStore } from '../node/content-store.ts'
import { readLocalFile } from '../node/local-file.ts'
import { packFolder } from '../node/pack-folder.ts'
import { fetchTaskPackage } from './fetch-task-package.ts'
import { createContentResolver } from './resolver.ts'

const servers = loopbackServers()
const folders = temporaryFolders()
const TREE = { 'TASK.md': '# Work\n', 'data/a.txt': 'a' }

describe('fetchTaskPackage', () => {
  it('finds root and leaves by CID on gateways, verifies against the chain, and keeps them', async () => {
    const packed = packTaskPackage({ files: new Map([['TASK.md', new TextEncoder().encode('# Work')]]) })
    const gateway = await servers.start((request, response) => {
      const cid = /^\/ipfs\/([a-z0-9]+)/.exec(request.url ?? '')?.[1]
      const block = [...packed.blocks].find(([key]) => key === cid)
      response.writeHead(block ? 200 : 404).end(block?.[1])
    })
    const keep = await openContentStore(await folders.make())
    const options = {
      taskHash: packed.taskHash,
      binding: { tdHash: packed.tdHash, version: 1n },
      resolver: createContentResolver({ gateways: [gateway], fetch }),
    }
    const fetched = await fetchTaskPackage({ ...options, uri: `ipfs://${packed.rootCid}`, keep })
    expect(fetched.verdict.findings).toEqual([])
    expect((await collect(keep.list())).sort()).toEqual([...packed.blocks.keys()].sort())
    const offline = createContentResolver({ store: keep })
    expect((await fetchTaskPackage({ ...options, resolver: offline })).verdict.ok).toBe(true)
  })

  it('takes a packed folder from a static server and from disk by the URI of its root', async () => {
    const folder = await folders.make(TREE)
    const output = join(dirname(folder), 'packed')
    const { taskHash } = await packFolder(folder, { output })
    const server = await servers.start((request, response) => {
      readFile(join(output, request.url ?? '')).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      )
    })
    const resolver = createContentResolver({ fetch, readFile: readLocalFile })
    for (const uri of [`${server}/root.cbor`, pathToFileURL(join(output, 'root.cbor')).href]) {
      const { verdict } = await fetchTaskPackage({ taskHash, uri, resolver })
      expect(verdict.findings).toEqual([])
    }
  })

  it('does not believe a URI that leads to another root', async () => {
    const folder = await folders.make(TREE)
    const output = join(dirname(folder), 'packed')
    await packFolder(folder, { output })
    const { verdict, attempts } = await fetchTaskPackage({
      taskHash: parseTaskHash(`0x${'22'.repeat(32)}`),
      uri: pathToFileURL(join(output, 'root.cbor')).href,
      resolver: createContentResolver({ readFile: readLocalFile }),
    })
    expect(verdict).toMatchObject({ status: 'incomplete', findings: [{ code: 'root.missing' }] })
    expect(attempts).toMatchObject([{ outcome: 'mismatch' }])
  })

  it('gives a verdict on a URI of any kind', async () => {
    const resolver = createContentResolver({})
    const taskHash = parseTaskHash(`0x${'33'.repeat(32)}`)
    for (const uri of ['', 'ipfs://x', 'javascript:1/root.cbor', 'file:///etc/passwd'])
      expect((await fetchTaskPackage({ taskHash, uri, resolver })).verdict.status).toBe('incomplete')
  })

  it('throws the reason of an aborted signal', async () => {
    const silent = await servers.start(() => {})
    const reason = new Error('enough')
    const resolver = createContentResolver({ gateways: [silent], fetch })
    const signal = AbortSignal.abort(reason)
    await expect(fetchTaskPackage({ taskHash: parseTaskHash(`0x${'33'.repeat(32)}`), resolver, signal })).rejects.toBe(
      reason,
    )
  })
})
