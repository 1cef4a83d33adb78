import {
  type BlockSource,
  type TaskVerdict,
  toDagCborCid,
  type VerifyTaskOptions,
  verifyTaskPackage,
} from '@oikos/core'
import { createPackageSource, type PackagePlaces } from './package-source.ts'
import type { Attempt } from './resolver.ts'

/** A package to fetch, and what it must agree with; `uri` is the on-chain `taskURI`. */
export type FetchTaskOptions = Omit<VerifyTaskOptions, 'source'> & PackagePlaces

/** A fetched package: the verdict, a source that has its blocks, and the places that were asked. */
export type FetchedTask = {
  readonly verdict: TaskVerdict
  readonly source: BlockSource
  readonly attempts: readonly Attempt[]
}

/**
 * Fetches a package and verifies it: the root by the CID of `taskHash`, else from `uri`; leaves by their CIDs from store
 * and gateways, and, when `uri` is the `root.cbor` of a packed folder on a server or disk, from `objects/` beside it.
 * Throws nothing but the reason of an aborted signal.
 */
export async function fetchTaskPackage(options: FetchTaskOptions): Promise<FetchedTask> {
  const { source, attempts } = createPackageSource(toDagCborCid(options.taskHash), options)
  const verdict = await verifyTaskPackage({ ...options, source })
  options.signal?.throwIfAborted()
  return { verdict, source, attempts: attempts() }
}
