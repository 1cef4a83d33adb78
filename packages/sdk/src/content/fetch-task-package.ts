import {
  type BlockSource,
  type Cid,
  cidCodec,
  MAX_ROOT_BYTES,
  type TaskVerdict,
  toDagCborCid,
  type VerifyTaskOptions,
  verifyTaskPackage,
} from '@oikos/core'
import { type ContentStore, shardOf } from './content-store.ts'
import type { Attempt, ContentResolver, ReportingSource } from './resolver.ts'

/** A package to fetch, and what it must agree with. */
export type FetchTaskOptions = Omit<VerifyTaskOptions, 'source'> & {
  /** The on-chain `taskURI`, a hint: the root is believed because of `taskHash` only. */
  readonly uri?: string
  readonly resolver: ContentResolver
  /** Keeps every checked block here. */
  readonly keep?: ContentStore
  readonly signal?: AbortSignal
}

/** A fetched package: the verdict, a source that has its blocks, and the places that were asked. */
export type FetchedTask = {
  readonly verdict: TaskVerdict
  readonly source: BlockSource
  readonly attempts: readonly Attempt[]
}

/** Name of the root in a packed folder; a URI that ends in it also offers the objects beside it. */
const PACKED_ROOT = '/root.cbor'

/**
 * Fetches a package and verifies it: the root by the CID of `taskHash`, else from `uri`; leaves by their CIDs from store
 * and gateways, and, when `uri` is the `root.cbor` of a packed folder on a server or disk, from `objects/` beside it.
 * Throws nothing but the reason of an aborted signal.
 */
export async function fetchTaskPackage(options: FetchTaskOptions): Promise<FetchedTask> {
  const { resolver, uri, keep, signal } = options
  const rootCid = toDagCborCid(options.taskHash)
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
  const verdict = await verifyTaskPackage({ ...options, source })
  signal?.throwIfAborted()
  return { verdict, source, attempts: [...byCid.attempts, ...more] }
}
