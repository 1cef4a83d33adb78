import type { BlockSource, Cid, CidCodec } from '@oikos/core'

/** Blocks by CID that can be added to. Implementations check what they return. */
export type ContentStore = BlockSource & {
  /** Whether a block is there; its bytes are not checked. */
  readonly has: (cid: Cid) => Promise<boolean>
  /** Adds a block under its CID; default codec raw. On disk when the promise resolves. */
  readonly put: (bytes: Uint8Array, codec?: CidCodec) => Promise<Cid>
}

/** Folder of a block inside a store, by two characters before the last, which are spread evenly over all CIDs. */
export function shardOf(cid: Cid): string {
  return cid.slice(-3, -1)
}
