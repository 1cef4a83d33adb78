import { lstat, readdir, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlockSource, type Cid, cidCodec, cidDigest, type Sha256Digest, toDagCborCid, toRawCid } from '@oikos/core'
import { shardOf } from '../content/content-store.ts'
import { findMentionedCids } from '../content/links.ts'
import { OikosError } from '../errors/oikos-error.ts'
import { type FolderStore, INCOMING } from './content-store.ts'
import { CorruptBlockError } from './errors.ts'
import { nodeSha256 } from './read-source-file.ts'

/** What is kept, and what of the rest may go. */
export type CollectionRequest = {
  /** Everything that somebody relies on, such as what a chain cites: kept with all that it mentions, however deep. */
  readonly cited: Iterable<Cid>
  /** SHA-256 digests that are relied on without a codec, such as those of deliveries: a block of either codec is kept. */
  readonly citedDigests?: Iterable<Sha256Digest>
  /** Where cited blocks are read that the store lacks, to learn what they mention. Default the store alone. */
  readonly source?: BlockSource
  /** A block that was put less than this before is kept: its citation may be on its way. Milliseconds; default one day. */
  readonly graceMs?: number
  /** The clock, in milliseconds since 1970. */
  readonly nowMs: number
  readonly signal?: AbortSignal
}

/** One block that nothing relies on. */
export type Uncited = { readonly cid: Cid; readonly sizeBytes: number }

/** A collection before it happens. */
export type CollectionPlan = {
  readonly remove: readonly Uncited[]
  /** Blocks that stay because something relies on them. */
  readonly kept: { readonly blocks: number; readonly sizeBytes: number }
  /** Blocks that nothing relies on and that are too young to go. */
  readonly young: { readonly blocks: number; readonly sizeBytes: number }
  /** Cited roots of packages that nobody gave: what they link to is not known, and may be here. */
  readonly unread: readonly Cid[]
  /** Whether there is more to remove than one plan holds. */
  readonly hasMore: boolean
  /** Blocks put at this moment or later stay, in milliseconds since 1970. */
  readonly cutoffMs: number
}

/** What a collection did. */
export type CollectionResult = {
  readonly removed: number
  readonly freedBytes: number
  /** Blocks of the plan that were put again meanwhile, and stay. */
  readonly spared: number
}

/** A collection would be unsafe. */
export class CollectionRefusedError extends OikosError {
  override readonly name = 'CollectionRefusedError'
  readonly code: 'too-many-cited' | 'unread-roots' | 'bad-grace'

  constructor(code: CollectionRefusedError['code'], got: string, advice: string) {
    super(`Nothing was removed: ${got}.`, { advice })
    this.code = code
  }
}

/** A day: far longer than any transaction waits between the stored record and its block. */
export const DEFAULT_GRACE_MS = 86_400_000

/** CIDs and digests that one plan follows, about 200 bytes each. */
const MAX_CITED = 1_000_000
/** Removals of one plan. */
const MAX_REMOVALS = 1_000_000
/** Bytes of a block that are read for what it mentions; records, roots and descriptors are smaller. */
const MAX_MENTION_BYTES = 4 * 1024 * 1024
/** Removals while the lock is held, so that a put waits for milliseconds. */
const BATCH = 256

/**
 * Finds what a collection would remove, and removes nothing. What is kept: all that is cited, all that a kept block of up to
 * 4 MiB mentions, in links or in text, and all that is younger than the grace time.
 * @throws {@link CollectionRefusedError}
 */
export async function planCollection(store: FolderStore, request: CollectionRequest): Promise<CollectionPlan> {
  const { signal, graceMs = DEFAULT_GRACE_MS } = request
  if (!(graceMs >= 0))
    throw new CollectionRefusedError('bad-grace', 'the grace time is negative', 'Give a length of time.')
  const cutoffMs = request.nowMs - graceMs
  const { digests, unread } = await followCitations(store, request)
  const tally = { kept: { blocks: 0, sizeBytes: 0 }, young: { blocks: 0, sizeBytes: 0 } }
  const remove: Uncited[] = []
  let hasMore = false
  for await (const cid of store.list()) {
    signal?.throwIfAborted()
    const state = await store.stat(cid)
    if (state === undefined) continue
    const group = digests.has(cidDigest(cid)) ? tally.kept : state.putAtMs >= cutoffMs ? tally.young : undefined
    if (group !== undefined) {
      group.blocks += 1
      group.sizeBytes += state.sizeBytes
    } else if (remove.length < MAX_REMOVALS) remove.push({ cid, sizeBytes: state.sizeBytes })
    else hasMore = true
  }
  return { remove, ...tally, unread, hasMore, cutoffMs }
}

/**
 * Removes what a plan says. A block that was put again since is spared: adding and removing exclude each other, and the time of
 * the last put is read again before each removal.
 * @throws {@link CollectionRefusedError} where roots are unread, unless `acceptUnread`; StoreLockedError
 */
export async function runCollection(
  store: FolderStore,
  plan: CollectionPlan,
  options: { readonly acceptUnread?: boolean; readonly signal?: AbortSignal } = {},
): Promise<CollectionResult> {
  if (plan.unread.length > 0 && options.acceptUnread !== true) {
    throw new CollectionRefusedError(
      'unread-roots',
      `${plan.unread.length} cited roots could not be read, so what they link to is not known`,
      'Name gateways that have them, or accept that leaves of packages which nobody can fetch may go.',
    )
  }
  const result = { removed: 0, freedBytes: 0, spared: 0 }
  for (let at = 0; at < plan.remove.length; at += BATCH) {
    options.signal?.throwIfAborted()
    await store.lock.exclude(async () => {
      for (const { cid } of plan.remove.slice(at, at + BATCH)) {
        const state = await store.stat(cid)
        if (state === undefined) continue
        if (state.putAtMs >= plan.cutoffMs) {
          result.spared += 1
          continue
        }
        await unlink(join(store.folder, shardOf(cid), cid))
        result.removed += 1
        result.freedBytes += state.sizeBytes
      }
    })
  }
  await removeLeftovers(store, plan.cutoffMs)
  return result
}

/** Removes what crashed writers left before they were done. */
async function removeLeftovers(store: FolderStore, cutoffMs: number): Promise<void> {
  const folder = join(store.folder, INCOMING)
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const file = join(folder, name)
    const state = await lstat(file).catch(() => undefined)
    if (state !== undefined && state.mtimeMs < cutoffMs) await rm(file, { recursive: true, force: true })
  }
}

async function followCitations(
  store: FolderStore,
  request: CollectionRequest,
): Promise<{ readonly digests: ReadonlySet<Sha256Digest>; readonly unread: readonly Cid[] }> {
  const digests = new Set<Sha256Digest>(request.citedDigests)
  const queue = [...new Set(request.cited)]
  const direct = new Set(queue)
  const seen = new Set(queue)
  const unread: Cid[] = []
  for (const digest of digests) await enqueueStored(store, digest, queue, seen)
  for (let cid = queue.pop(); cid !== undefined; cid = queue.pop()) {
    request.signal?.throwIfAborted()
    digests.add(cidDigest(cid))
    if (seen.size > MAX_CITED) {
      throw new CollectionRefusedError('too-many-cited', `more than ${MAX_CITED} blocks are cited`, 'Collect by parts.')
    }
    const isRoot = direct.has(cid) && cidCodec(cid) === 'dag-cbor'
    const bytes = await readMentioning(store, request.source, cid, isRoot)
    if (bytes === undefined) {
      if (isRoot) unread.push(cid)
      continue
    }
    for (const mentioned of findMentionedCids(cid, bytes)) {
      if (seen.has(mentioned)) continue
      seen.add(mentioned)
      queue.push(mentioned)
    }
  }
  return { digests, unread }
}

async function enqueueStored(store: FolderStore, digest: Sha256Digest, queue: Cid[], seen: Set<Cid>): Promise<void> {
  for (const cid of [toRawCid(digest), toDagCborCid(digest)]) {
    if (seen.has(cid) || !(await store.has(cid))) continue
    seen.add(cid)
    queue.push(cid)
  }
}

/** The bytes of a block that may mention others; undefined where there are none or too many. */
async function readMentioning(
  store: FolderStore,
  source: BlockSource | undefined,
  cid: Cid,
  isRoot: boolean,
): Promise<Uint8Array | undefined> {
  const state = await store.stat(cid)
  if (state !== undefined && state.sizeBytes > MAX_MENTION_BYTES) return isRoot ? undefined : new Uint8Array()
  const bytes = state === undefined ? undefined : await readIntact(store, cid)
  if (bytes !== undefined || !isRoot || source === undefined) return bytes
  const fetched = await source.get(cid, { maxBytes: MAX_MENTION_BYTES }).catch(() => undefined)
  return fetched !== undefined && nodeSha256(fetched) === cidDigest(cid) ? fetched : undefined
}

/** A block that was damaged on disk is as good as none. */
async function readIntact(store: FolderStore, cid: Cid): Promise<Uint8Array | undefined> {
  try {
    return await store.get(cid, { maxBytes: MAX_MENTION_BYTES })
  } catch (cause) {
    if (cause instanceof CorruptBlockError) return undefined
    throw cause
  }
}
