import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  BlockTooLargeError,
  type Cid,
  type CidCodec,
  cidDigest,
  isCid,
  type Sha256Digest,
  toDagCborCid,
  toRawCid,
} from '@oikos/core'
import { type ContentStore, shardOf } from '../content/content-store.ts'
import { syncPath, writeNewFile } from './atomic-folder.ts'
import { CorruptBlockError } from './errors.ts'
import { nodeSha256 } from './read-source-file.ts'
import { OPEN_TO_READ } from './scan-folder.ts'
import { createStoreLock, type StoreLock } from './store-lock.ts'

/** A content store in a folder. */
export type FolderStore = ContentStore & {
  readonly folder: string
  /** Keeps collections away from a block that is here already as if it had been put now; false when it is not here. */
  readonly renew: (cid: Cid) => Promise<boolean>
  /** Size and time of the last put of a block; undefined when absent. */
  readonly stat: (cid: Cid) => Promise<BlockState | undefined>
  /** Moves a file in that the caller compared with the CID and forced to disk, on the same file system. */
  readonly adopt: (file: string, cid: Cid) => Promise<void>
  /** Held shared by whatever adds blocks, alone by a collection. */
  readonly lock: StoreLock
  /** CIDs of all blocks, by shard; their bytes are not checked. */
  readonly list: () => AsyncGenerator<Cid>
  /** Adds a block piece by piece; `close` gives it the CID of the digest that the caller computed over the pieces. */
  readonly openBlock: () => Promise<BlockWriter>
  /** Ends a store that is a part of a folder written as a whole: removes the folder for blocks on their way. */
  readonly seal: () => Promise<void>
}

/** A block on disk: its bytes, and when it was last put, in milliseconds since 1970. */
export type BlockState = { readonly sizeBytes: number; readonly putAtMs: number }

/** A block on its way into a store. */
export type BlockWriter = {
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Forces the block to disk under its CID. */
  readonly close: (digest: Sha256Digest) => Promise<Cid>
  /** Removes what was written. */
  readonly discard: () => Promise<void>
}

/** Name of the folder for blocks on their way; not a shard, since shards have two characters. */
export const INCOMING = 'incoming'

/** Name of the lock; no shard either. It is made by the first put. */
const LOCK = 'lock.sqlite'

/**
 * Opens a folder as a content store and creates it when absent. A block is one file `<shard>/<cid>`; it appears by a
 * rename after it is on disk, so a crash leaves whole blocks only. Several processes may use one folder.
 */
export async function openContentStore(
  folder: string,
  options: {
    /** Whether the caller forces the whole folder to disk itself, once for all blocks. Default false. */
    readonly deferSync?: boolean
  } = {},
): Promise<FolderStore> {
  const { deferSync = false } = options
  const root = resolve(folder)
  await mkdir(root, { recursive: true })
  const fileOf = (cid: Cid) => join(root, shardOf(cid), cid)

  // a folder that is written as a whole has one writer and no collection, and the lock is no part of it
  const lock = createStoreLock(join(root, LOCK))
  const shared = <T>(work: () => Promise<T>): Promise<T> => (deferSync ? work() : lock.share(work))

  const nextIncoming = async () => {
    await mkdir(join(root, INCOMING), { recursive: true })
    return join(root, INCOMING, randomUUID())
  }

  const settle = async (incoming: string, cid: Cid) => {
    const shard = join(root, shardOf(cid))
    await mkdir(shard, { recursive: true })
    await shared(() => rename(incoming, fileOf(cid)))
    if (!deferSync) await syncPath(shard)
  }

  return {
    folder: root,
    get: async (cid, { maxBytes }) => {
      const bytes = await readBlock(root, cid, maxBytes)
      if (bytes !== undefined && nodeSha256(bytes) !== cidDigest(cid)) throw new CorruptBlockError(cid, fileOf(cid))
      return bytes
    },
    has: async (cid) => {
      const handle = await openBlockFile(fileOf(cid))
      await handle?.close()
      return handle !== undefined
    },
    put: async (bytes, codec: CidCodec = 'raw') => {
      const digest = nodeSha256(bytes)
      const cid: Cid = codec === 'raw' ? toRawCid(digest) : toDagCborCid(digest)
      const incoming = await nextIncoming()
      try {
        await writeNewFile(incoming, bytes, { deferSync })
        await settle(incoming, cid)
      } finally {
        await rm(incoming, { force: true })
      }
      return cid
    },
    renew: (cid) =>
      shared(async () => {
        const now = new Date()
        return ignoreMissing(utimes(fileOf(cid), now, now).then(() => true)).then((renewed) => renewed ?? false)
      }),
    stat: async (cid) => {
      const state = await ignoreMissing(lstat(fileOf(cid)))
      return state?.isFile() ? { sizeBytes: state.size, putAtMs: state.mtimeMs } : undefined
    },
    adopt: settle,
    lock,
    list: () => listBlocks(root),
    seal: () => rm(join(root, INCOMING), { recursive: true, force: true }),
    openBlock: async () => {
      const incoming = await nextIncoming()
      const handle = await open(incoming, 'wx')
      return {
        write: async (bytes) => {
          await handle.writeFile(bytes)
        },
        close: async (digest) => {
          const cid = toRawCid(digest)
          if (!deferSync) await handle.sync()
          await handle.close()
          await settle(incoming, cid)
          return cid
        },
        discard: async () => {
          await handle.close().catch(() => {})
          await rm(incoming, { force: true })
        },
      }
    },
  }
}

function openBlockFile(file: string): Promise<FileHandle | undefined> {
  return ignoreMissing(open(file, OPEN_TO_READ))
}

async function ignoreMissing<T>(access: Promise<T>): Promise<T | undefined> {
  try {
    return await access
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}

/**
 * Reads a block of a store as it is on disk; whoever asks compares it with its CID. Undefined when absent. Throws
 * BlockTooLargeError, and {@link CorruptBlockError} when the file ends early.
 */
export async function readBlock(folder: string, cid: Cid, maxBytes: number): Promise<Uint8Array | undefined> {
  const file = join(folder, shardOf(cid), cid)
  const handle = await openBlockFile(file)
  if (handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    if (size > maxBytes) throw new BlockTooLargeError(cid, maxBytes)
    const bytes = Buffer.allocUnsafeSlow(size)
    for (let at = 0; at < size; ) {
      const { bytesRead } = await handle.read(bytes, at, size - at)
      if (bytesRead === 0) throw new CorruptBlockError(cid, file)
      at += bytesRead
    }
    return new Uint8Array(bytes.buffer, bytes.byteOffset, size)
  } finally {
    await handle.close()
  }
}

async function* listBlocks(root: string): AsyncGenerator<Cid> {
  for (const shard of (await readdir(root)).sort()) {
    if (shard.length !== 2) continue
    for (const name of (await readdir(join(root, shard))).sort()) if (isCid(name)) yield name
  }
}
