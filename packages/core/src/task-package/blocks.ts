import { type Cid, cidDigest, type Sha256Digest, sha256 } from '../digest/index.ts'
import { BlockTooLargeError } from './errors.ts'
import { type Findings, reasonOf, report } from './findings.ts'

/**
 * Where blocks come from: a map, a folder, a gateway. Bytes are checked by whoever asks. `undefined` says that the
 * source does not have the block; a source may throw (BlockTooLargeError rather than hold more than `maxBytes`) and may
 * return anything, all of which becomes findings.
 */
export type BlockSource = {
  readonly get: (cid: Cid, limit: { readonly maxBytes: number }) => Promise<Uint8Array | undefined>
}

/** SHA-256 of whole bytes; a host may give a faster one than the portable default. */
export type Sha256Function = (bytes: Uint8Array) => Sha256Digest

/** A source over blocks in memory. */
export function blocksFrom(blocks: ReadonlyMap<Cid, Uint8Array>): BlockSource {
  return { get: async (cid) => blocks.get(cid) }
}

/** Asks for a block and checks it against its CID; whatever is wrong becomes a finding. Never throws. */
export async function getChecked(
  source: BlockSource,
  cid: Cid,
  where: string,
  maxBytes: number,
  findings: Findings,
  hash: Sha256Function = sha256,
): Promise<Uint8Array | undefined> {
  const root = where === 'root'
  let bytes: Uint8Array | undefined
  try {
    bytes = await source.get(cid, { maxBytes })
  } catch (cause) {
    if (cause instanceof BlockTooLargeError) {
      report(findings, root ? 'root.too-large' : 'object.too-large', where, cause.message)
      return undefined
    }
    report(findings, 'source.failed', where, `${cid}: ${reasonOf(cause)}`)
    return undefined
  }
  if (bytes === undefined) {
    report(findings, root ? 'root.missing' : 'object.missing', where, `${cid} is not in the source; try another source`)
  } else if (bytes.length > maxBytes) {
    report(
      findings,
      root ? 'root.too-large' : 'object.too-large',
      where,
      `${bytes.length} bytes, expected ${maxBytes} or less`,
    )
  } else if (hash(bytes) !== cidDigest(cid)) {
    report(findings, root ? 'root.hash-mismatch' : 'object.hash-mismatch', where, `the bytes are not those of ${cid}`)
  } else {
    return bytes
  }
  return undefined
}

/**
 * Runs `task` on every item, `parallel` at a time; results in the order of the items. After a failure no task is
 * started, and the failure is thrown when the running ones have ended, so that nothing works on behind the caller's back.
 */
export async function mapInOrder<Item, Result>(
  items: readonly Item[],
  parallel: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length)
  const failures: unknown[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < items.length && failures.length === 0; index = next++) {
      try {
        results[index] = await task(items[index] as Item)
      } catch (cause) {
        failures.push(cause)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, work))
  if (failures.length > 0) throw failures[0]
  return results
}
