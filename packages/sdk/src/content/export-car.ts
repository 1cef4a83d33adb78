import { CarWriter } from '@ipld/car'
import { type BlockSource, type Cid, cidDigest, type Sha256Function, sha256, toIpldCid } from '@oikos/core'
import { CarError } from './car-error.ts'
import { type CarLimits, DEFAULT_CAR_LIMITS } from './car-limits.ts'
import { listPackageLinks } from './links.ts'

/** What an archive holds: its roots, and below each root that is a package all that the package needs. */
export type ExportCarOptions = {
  readonly source: BlockSource
  readonly roots: readonly Cid[]
  /** Whether packages are followed to their leaves. Default true. */
  readonly follow?: boolean
  readonly limits?: Partial<CarLimits>
  readonly hash?: Sha256Function
  readonly signal?: AbortSignal
}

/** The blocks of an archive in its order, before any of them is sent. */
export type CarPlan = { readonly roots: readonly Cid[]; readonly blocks: readonly Cid[] }

/**
 * Finds the blocks of an archive: each root, then its leaves, each block once. Only roots of packages are read.
 * @throws {@link CarError} for a root that the source lacks, and above a limit
 */
export async function planCar(options: ExportCarOptions): Promise<CarPlan> {
  const limits = { ...DEFAULT_CAR_LIMITS, ...options.limits }
  const roots = [...new Set(options.roots)]
  if (roots.length > limits.roots)
    throw new CarError('too-many-roots', `${roots.length} roots, at most ${limits.roots}`)
  const blocks = new Set<Cid>()
  for (const root of roots) {
    options.signal?.throwIfAborted()
    blocks.add(root)
    if (options.follow !== false) {
      const bytes = await getBlock(options, root, limits.blockBytes)
      for (const link of listPackageLinks(root, bytes)) blocks.add(link)
    }
    if (blocks.size > limits.blocks) throw new CarError('too-many-blocks', `more than ${limits.blocks} blocks`)
  }
  return { roots, blocks: [...blocks] }
}

/**
 * The bytes of a CAR, version 1, piece by piece; one block is in memory. Every block is compared with its CID. The same roots
 * give the same bytes.
 * @throws {@link CarError} for a block that the source lacks or has wrong, and above a limit
 */
export async function* exportCar(options: ExportCarOptions): AsyncGenerator<Uint8Array, CarPlan> {
  const limits = { ...DEFAULT_CAR_LIMITS, ...options.limits }
  const plan = await planCar(options)
  let total = 0
  const count = (piece: Uint8Array): Uint8Array => {
    total += piece.length
    if (total > limits.carBytes) throw new CarError('too-large', `more than ${limits.carBytes} bytes`)
    return piece
  }
  const header = CarWriter.create(plan.roots.map(toIpldCid))
  const written = header.writer.close()
  for await (const piece of header.out) yield count(piece)
  await written
  for (const cid of plan.blocks) {
    options.signal?.throwIfAborted()
    const bytes = await getBlock(options, cid, limits.blockBytes)
    for await (const piece of frame(cid, bytes)) yield count(piece)
  }
  return plan
}

async function* frame(cid: Cid, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const { writer, out } = CarWriter.createAppender()
  const written = writer.put({ cid: toIpldCid(cid), bytes }).then(() => writer.close())
  yield* out
  await written
}

async function getBlock(options: ExportCarOptions, cid: Cid, maxBytes: number): Promise<Uint8Array> {
  const bytes = await options.source.get(cid, { maxBytes })
  if (bytes === undefined) throw new CarError('block-missing', `${cid} is not there`)
  if (bytes.length > maxBytes) throw new CarError('too-large', `${cid} has more than ${maxBytes} bytes`)
  if ((options.hash ?? sha256)(bytes) !== cidDigest(cid)) {
    throw new CarError('hash-mismatch', `the bytes at hand are not those of ${cid}`)
  }
  return bytes
}
