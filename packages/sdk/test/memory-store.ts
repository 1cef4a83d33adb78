import { type Cid, type CidCodec, dagCborCidOf, rawCidOf } from '@oikos/core'
import type { ContentStore } from '../src/content/content-store.ts'

/** A content store in memory; what it does wrong, a test says. */
export type MemoryStore = ContentStore & { readonly blocks: Map<Cid, Uint8Array> }

/** An empty store that does as it is told. */
export function createMemoryStore(faults: Partial<ContentStore> = {}): MemoryStore {
  const blocks = new Map<Cid, Uint8Array>()
  return {
    blocks,
    get: async (cid) => blocks.get(cid),
    has: async (cid) => blocks.has(cid),
    put: async (bytes, codec: CidCodec = 'raw') => {
      const cid: Cid = codec === 'raw' ? rawCidOf(bytes) : dagCborCidOf(bytes)
      blocks.set(cid, bytes)
      return cid
    },
    ...faults,
  }
}
