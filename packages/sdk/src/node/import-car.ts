import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cid, cidCodec } from '@oikos/core'
import { CarError } from '../content/car-error.ts'
import type { CarLimits } from '../content/car-limits.ts'
import { shardOf } from '../content/content-store.ts'
import { readCar } from '../content/read-car.ts'
import { syncPath } from './atomic-folder.ts'
import { type FolderStore, INCOMING, openContentStore } from './content-store.ts'
import { nodeSha256 } from './read-source-file.ts'

/** What an archive brought. */
export type ImportedCar = {
  readonly roots: readonly Cid[]
  /** Different blocks of the archive. */
  readonly blocks: number
  /** Those that the store did not have. */
  readonly added: number
  /** Bytes of all blocks. */
  readonly sizeBytes: number
}

/**
 * Takes a CAR of version 1 into a store. Every block is compared with its CID, beside the store; only when the last one is
 * right and on disk do the blocks move in, those that the archive names as roots at the end. Of an archive that is refused
 * nothing is kept, and a crash can leave single whole blocks, never a root without the blocks that came with it.
 * @throws {@link CarError}, StoreLockedError, the reason of an aborted signal, and failures of the disk
 */
export async function importCar(
  store: FolderStore,
  bytes: AsyncIterable<Uint8Array>,
  options: { readonly limits?: Partial<CarLimits>; readonly signal?: AbortSignal } = {},
): Promise<ImportedCar> {
  const folder = join(store.folder, INCOMING, randomUUID())
  await mkdir(join(store.folder, INCOMING), { recursive: true })
  try {
    const staged = await openContentStore(folder, { deferSync: true })
    const { roots, blocks } = await readCar(bytes, { ...options, hash: nodeSha256 })
    const sizes = new Map<Cid, number>()
    for await (const { cid, bytes: block } of blocks) {
      if (sizes.has(cid)) continue
      await staged.put(block, cidCodec(cid))
      sizes.set(cid, block.length)
    }
    for (const root of roots) {
      if (!sizes.has(root) && !(await store.has(root))) throw new CarError('root-missing', `${root} is not in it`)
    }
    const fileOf = (cid: Cid): string => join(folder, shardOf(cid), cid)
    for (const cid of sizes.keys()) {
      options.signal?.throwIfAborted()
      await syncPath(fileOf(cid))
    }
    const last = new Set(roots)
    let added = 0
    for (const cid of [...sizes.keys()].filter((key) => !last.has(key)).concat(roots.filter((key) => sizes.has(key)))) {
      if (!(await store.has(cid))) added += 1
      // renewed as well where it was there: a collection must see that somebody wants it now
      await store.adopt(fileOf(cid), cid)
    }
    const sizeBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    return { roots, blocks: sizes.size, added, sizeBytes }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
