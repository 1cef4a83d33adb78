import {
  type BlockSource,
  type PackageHash,
  type Sha256Digest,
  type SkillVerdict,
  toDagCborCid,
  toRawCid,
  type VerifySkillOptions,
  verifySkillPackage,
  withLimits,
} from '@oikos/core'
import { createPackageSource, type PackagePlaces } from './package-source.ts'
import type { Attempt } from './resolver.ts'

/** A delivery to fetch: its result hash, the URI that it claims, and the bounds of a package. */
export type FetchDeliveryOptions = Omit<VerifySkillOptions, 'source' | 'packageHash' | 'binding' | 'history'> &
  PackagePlaces & {
    /** The `resultHash` of the delivery, as the chain gives it. */
    readonly resultHash: Sha256Digest
  }

/**
 * What a result hash commits to, as far as it could be found: a skill package (ERC-8338), of which every object was checked
 * as far as `verdict` says; a file with exactly this hash; or nothing that was found, which may also mean that the hash is of
 * no content at all, such as one for a verifier.
 */
export type FetchedDelivery = { readonly attempts: readonly Attempt[] } & (
  | { readonly kind: 'skill'; readonly verdict: SkillVerdict; readonly source: BlockSource }
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' }
)

/**
 * Fetches a delivery and tells what it is. Content is hostile: every block is compared with its hash, bounded by the limits,
 * and never run. Bytes that read as a SkillRoot, or whose URI says that they are a root, are judged as one.
 * Throws nothing but the reason of an aborted signal.
 */
export async function fetchDelivery(options: FetchDeliveryOptions): Promise<FetchedDelivery> {
  const { resultHash, uri, signal } = options
  const packageHash = resultHash as PackageHash // a claim until the verdict
  const rootCid = toDagCborCid(packageHash)
  const rawCid = toRawCid(resultHash)
  const { source, attempts } = createPackageSource(rootCid, options)
  const { objectBytes, rootBytes } = withLimits(options.limits)
  const root = await quietly(source.get(rootCid, { maxBytes: rootBytes }), signal)
  if (root !== undefined) {
    const verdict = await verifySkillPackage({ ...options, packageHash, source })
    signal?.throwIfAborted()
    const isRoot = verdict.root !== undefined || uri?.includes(rootCid) === true
    return isRoot
      ? { kind: 'skill', verdict, source, attempts: attempts() }
      : { kind: 'file', bytes: root, attempts: attempts() }
  }
  const byCid = await quietly(source.get(rawCid, { maxBytes: objectBytes }), signal)
  const bytes = byCid ?? (uri === undefined ? undefined : await resolveFile(options, uri, objectBytes))
  return bytes === undefined ? { kind: 'missing', attempts: attempts() } : { kind: 'file', bytes, attempts: attempts() }
}

async function resolveFile(
  { resolver, resultHash, signal }: FetchDeliveryOptions,
  uri: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const resolved = await resolver.resolve(uri, { cid: toRawCid(resultHash), maxBytes, ...(signal && { signal }) })
  return resolved.ok ? resolved.bytes : undefined
}

/** A source that fails, or has more bytes than are read, has nothing. Throws the reason of an aborted signal. */
async function quietly(
  found: Promise<Uint8Array | undefined>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  try {
    return await found
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}
