import { type BlockSource, type Cid, cidCodec, type DagCborCid, MAX_ROOT_BYTES } from '@oikos/core'
import { type ContentStore, shardOf } from './content-store.ts'
import type { Attempt, ContentResolver, ReportingSource } from './resolver.ts'

/** Where a package may be found. */
export type PackagePlaces = {
  /** A claim of a stranger, and a hint: blocks are believed because of their CIDs only. */
  readonly uri?: string
  readonly resolver: ContentResolver
  /** Keeps every checked block here. */
  readonly keep?: ContentStore
  readonly signal?: AbortSignal
}

/** Blocks of one package, and the places that were asked so far. */
export type PackageSource = { readonly source: BlockSource; readonly attempts: () => readonly Attempt[] }

/** Name of the root in a packed folder; a URI that ends in it also offers the objects beside it. */
const PACKED_ROOT = '/root.cbor'

/**
 * The blocks of a package: its root by CID, else from the URI; leaves by their CIDs from store and gateways, and, when the
 * URI is the `root.cbor` of a packed folder on a server or disk, from `objects/` beside it.
 */
export function createPackageSource(
  rootCid: DagCborCid,
  { resolver, uri, keep, signal }: PackagePlaces,
): PackageSource {
  const byCid: ReportingSource = resolver.source(signal && { signal })
  const more: Attempt[] = []
  const ask = async (at: string, cid: Cid, maxBytes: number): Promise<Uint8Array | undefined> => {
    const resolved = await resolver.resolve(at, { cid, maxBytes, ...(signal && { signal }) })
    more.push(...resolved.attempts)
    return resolved.ok ? resolved.bytes : undefined
  }
  const beside = uri?.endsWith(PACKED_ROOT) ? uri.slice(0, -PACKED_ROOT.length) : undefined
  const find = async (cid: Cid, maxBytes: number): Promise<Uint8Array | undefined> => {
    const found = await byCid.get(cid, { maxBytes })
    if (found !== undefined) return found
    if (cid === rootCid) return uri === undefined ? undefined : ask(uri, cid, Math.min(maxBytes, MAX_ROOT_BYTES))
    return beside === undefined ? undefined : ask(`${beside}/objects/${shardOf(cid)}/${cid}`, cid, maxBytes)
  }
  const source: BlockSource = {
    get: async (cid, { maxBytes }) => {
      signal?.throwIfAborted()
      const bytes = await find(cid, maxBytes)
      if (bytes !== undefined) await keep?.put(bytes, cidCodec(cid))
      return bytes
    },
  }
  return { source, attempts: () => [...byCid.attempts, ...more] }
}
