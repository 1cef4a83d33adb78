import { fork } from 'node:child_process'
import { once } from 'node:events'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cid, cidDigest, packTaskPackage, rawCidOf } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../test/memory-store.ts'
import { collect, temporaryFolders } from '../../test/temporary-folder.ts'
import { shardOf } from '../content/content-store.ts'
import { planCollection, runCollection } from './collect-content.ts'
import { type FolderStore, openContentStore } from './content-store.ts'

const folders = temporaryFolders()
const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const packed = packTaskPackage({
  files: new Map([
    ['TASK.md', text('# Work')],
    ['data/a.txt', text('a')],
  ]),
})
const DAY = 86_400_000

/** Makes every block look as if it had been put two days ago. */
async function age(store: FolderStore): Promise<void> {
  const then = new Date(Date.now() - 2 * DAY)
  for await (const cid of store.list()) await utimes(join(store.folder, shardOf(cid), cid), then, then)
}

async function storeWithPackage(): Promise<FolderStore> {
  const store = await openContentStore(await folders.make())
  for (const [cid, bytes] of packed.blocks) await store.put(bytes, cid === packed.rootCid ? 'dag-cbor' : 'raw')
  return store
}

const plan = (store: FolderStore, cited: readonly Cid[], more: object = {}) =>
  planCollection(store, { cited, nowMs: Date.now(), ...more })

describe('a collection', () => {
  it('keeps what is cited with all that a cited package root links to, and removes the rest', async () => {
    const store = await storeWithPackage()
    const loose = await store.put(text('loose'))
    await age(store)
    const found = await plan(store, [packed.rootCid])
    expect(found).toMatchObject({ remove: [{ cid: loose }], kept: { blocks: packed.blocks.size }, unread: [] })
    expect(await store.has(loose)).toBe(true)
    expect(await runCollection(store, found)).toEqual({ removed: 1, freedBytes: 5, spared: 0 })
    expect((await collect(store.list())).sort()).toEqual([...packed.blocks.keys()].sort())
  })

  it('keeps what a cited record mentions in text, through several records', async () => {
    const store = await openContentStore(await folders.make())
    const evidence = await store.put(text('evidence'))
    const inner = await store.put(text(JSON.stringify({ links: { evidence: `ipfs://${evidence}` } })))
    const record = await store.put(text(JSON.stringify({ because: inner })))
    await age(store)
    expect((await plan(store, [record])).remove).toEqual([])
    expect((await plan(store, [inner])).remove.map(({ cid }) => cid)).toEqual([record])
  })

  it('keeps a block of either codec under a digest alone', async () => {
    const store = await storeWithPackage()
    const result = await store.put(text('result'))
    await age(store)
    const citedDigests = [cidDigest(result), cidDigest(packed.rootCid)]
    expect((await plan(store, [], { citedDigests })).remove).toEqual([])
  })

  it('keeps what is young, and what is renewed or put again after the plan', async () => {
    const store = await openContentStore(await folders.make())
    const [first, second, third] = [await store.put(text('1')), await store.put(text('2')), await store.put(text('3'))]
    expect((await plan(store, [])).young.blocks).toBe(3)
    await age(store)
    const found = await plan(store, [])
    expect(found.remove.length).toBe(3)
    await store.put(text('1'))
    expect(await store.renew(second)).toBe(true)
    expect(await store.renew(rawCidOf(text('none')))).toBe(false)
    expect(await runCollection(store, found)).toEqual({ removed: 1, freedBytes: 1, spared: 2 })
    expect([await store.has(first), await store.has(second), await store.has(third)]).toEqual([true, true, false])
  })

  it('refuses while a cited root cannot be read, finds it through a source, and goes on only when told', async () => {
    const store = await storeWithPackage()
    const elsewhere = createMemoryStore()
    elsewhere.blocks.set(packed.rootCid, packed.blocks.get(packed.rootCid) as Uint8Array)
    await writeFile(join(store.folder, shardOf(packed.rootCid), packed.rootCid), 'damaged')
    await age(store)
    const blind = await plan(store, [packed.rootCid])
    expect(blind.unread).toEqual([packed.rootCid])
    await expect(runCollection(store, blind)).rejects.toMatchObject({ code: 'unread-roots' })
    expect(await plan(store, [packed.rootCid], { source: elsewhere })).toMatchObject({ unread: [], remove: [] })
    expect(await runCollection(store, blind, { acceptUnread: true })).toMatchObject({ spared: 0 })
  })

  it('does not believe a source that gives another root', async () => {
    const store = await openContentStore(await folders.make())
    const lying = createMemoryStore({ get: async () => Uint8Array.of(0xa0) })
    expect((await plan(store, [packed.rootCid], { source: lying })).unread).toEqual([packed.rootCid])
  })

  it('waits for a put in another process, and a put waits for it', async () => {
    const store = await openContentStore(await folders.make())
    const program = join(await folders.make(), 'hold.mjs')
    const module = join(import.meta.dirname, 'store-lock.ts')
    await writeFile(
      program,
      `import { createStoreLock } from ${JSON.stringify(module)}
      await createStoreLock(process.argv[2]).share(async () => {
        process.send('held')
        await new Promise((resolve) => process.once('message', resolve))
      })
      process.disconnect()`,
    )
    const child = fork(program, [join(store.folder, 'lock.sqlite')], { stdio: 'ignore' })
    await once(child, 'message')
    let alone = false
    const excluded = store.lock.exclude(async () => {
      alone = true
    })
    await store.put(text('beside it'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(alone).toBe(false)
    child.send('go')
    await excluded
    expect(alone).toBe(true)
  })

  it('gets the lock of a process that was killed', async () => {
    const store = await openContentStore(await folders.make())
    const program = join(await folders.make(), 'hold.mjs')
    const module = join(import.meta.dirname, 'store-lock.ts')
    await writeFile(
      program,
      `import { createStoreLock } from ${JSON.stringify(module)}
      await createStoreLock(process.argv[2]).exclude(async () => {
        process.send('held')
        await new Promise((resolve) => process.once('message', resolve))
      })`,
    )
    const child = fork(program, [join(store.folder, 'lock.sqlite')], { stdio: 'ignore' })
    await once(child, 'message')
    let put = false
    const putting = store.put(text('x')).then(() => {
      put = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(put).toBe(false)
    child.kill('SIGKILL')
    await putting
  })
})
