import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packTaskPackage, rawCidOf } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../test/memory-store.ts'
import { collect, temporaryFolders } from '../../test/temporary-folder.ts'
import { exportCar } from '../content/export-car.ts'
import { type FolderStore, openContentStore } from './content-store.ts'
import { importCar } from './import-car.ts'

const folders = temporaryFolders()
const packed = packTaskPackage({ files: new Map([['TASK.md', new TextEncoder().encode('# Work')]]) })

async function makeCar(): Promise<Buffer> {
  const source = createMemoryStore()
  for (const [cid, bytes] of packed.blocks) source.blocks.set(cid, bytes)
  return Buffer.concat(await collect(exportCar({ source, roots: [packed.rootCid] })))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function expectEmpty(store: FolderStore): Promise<void> {
  expect(await collect(store.list())).toEqual([])
  expect(await readdir(join(store.folder, 'incoming'))).toEqual([])
}

describe('importCar', () => {
  it('takes in every block of an archive and says what was new', async () => {
    const store = await openContentStore(await folders.make())
    const car = await makeCar()
    const expected = { roots: [packed.rootCid], blocks: packed.blocks.size }
    expect(await importCar(store, once(car))).toMatchObject({ ...expected, added: packed.blocks.size })
    for (const [cid, bytes] of packed.blocks) expect(await store.get(cid, { maxBytes: 1e6 })).toEqual(bytes)
    expect(await importCar(store, once(car))).toMatchObject({ ...expected, added: 0 })
    expect(await readdir(join(store.folder, 'incoming'))).toEqual([])
  })

  it('keeps nothing of an archive whose last block is wrong, or that ends early', async () => {
    const store = await openContentStore(await folders.make())
    const car = await makeCar()
    const wrong = Buffer.from(car)
    wrong[wrong.length - 1] = (wrong[wrong.length - 1] ?? 0) ^ 1
    await expect(importCar(store, once(wrong))).rejects.toMatchObject({ code: 'hash-mismatch' })
    await expectEmpty(store)
    await expect(importCar(store, once(car.subarray(0, -1)))).rejects.toMatchObject({ code: 'truncated' })
    await expectEmpty(store)
  })

  it('keeps nothing of an archive that lacks its root, and nothing after an abort', async () => {
    const store = await openContentStore(await folders.make())
    const car = await makeCar()
    const headerEnd = (car[0] ?? 0) + 1
    await expect(importCar(store, once(car.subarray(0, headerEnd)))).rejects.toMatchObject({ code: 'root-missing' })
    await expectEmpty(store)
    const reason = new Error('enough')
    await expect(importCar(store, once(car), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expectEmpty(store)
    expect(await store.has(rawCidOf(new Uint8Array()))).toBe(false)
  })
})
