import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BlockTooLargeError, cidDigest, rawCidOf, sha256, toRawCid } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { collect, temporaryFolders } from '../../test/temporary-folder.ts'
import { shardOf } from '../content/content-store.ts'
import { openContentStore } from './content-store.ts'

const folders = temporaryFolders()
const bytes = new TextEncoder().encode('block')

describe('openContentStore', () => {
  it('keeps raw and dag-cbor blocks under their CIDs, sharded', async () => {
    const store = await openContentStore(join(await folders.make(), 'store'))
    const raw = await store.put(bytes)
    const cbor = await store.put(Uint8Array.of(0xa0), 'dag-cbor')
    expect(raw).toBe(rawCidOf(bytes))
    expect(cbor).toMatch(/^bafyrei/)
    expect(await store.get(raw, { maxBytes: 100 })).toEqual(bytes)
    expect(await store.has(cbor)).toBe(true)
    expect((await collect(store.list())).sort()).toEqual([raw, cbor].sort())
    expect(await readFile(join(store.folder, shardOf(raw), raw), 'utf8')).toBe('block')
  })

  it('says undefined for a block that it does not have', async () => {
    const store = await openContentStore(await folders.make())
    const cid = toRawCid(sha256(bytes))
    expect(await store.get(cid, { maxBytes: 100 })).toBeUndefined()
    expect(await store.has(cid)).toBe(false)
  })

  it('refuses a block above the bound without reading it', async () => {
    const store = await openContentStore(await folders.make())
    const cid = await store.put(bytes)
    await expect(store.get(cid, { maxBytes: 4 })).rejects.toBeInstanceOf(BlockTooLargeError)
  })

  it('finds a block that was changed on disk, and put mends it', async () => {
    const store = await openContentStore(await folders.make())
    const cid = await store.put(bytes)
    await writeFile(join(store.folder, shardOf(cid), cid), 'other')
    await expect(store.get(cid, { maxBytes: 100 })).rejects.toMatchObject({ name: 'CorruptBlockError', cid })
    await store.put(bytes)
    expect(await store.get(cid, { maxBytes: 100 })).toEqual(bytes)
  })

  it('puts the same block at once from many callers', async () => {
    const store = await openContentStore(await folders.make())
    const cids = await Promise.all(Array.from({ length: 20 }, () => store.put(bytes)))
    expect(new Set(cids).size).toBe(1)
    expect(await readdir(join(store.folder, 'incoming'))).toEqual([])
    expect(cidDigest(cids[0] ?? rawCidOf(new Uint8Array()))).toBe(sha256(bytes))
  })
})
