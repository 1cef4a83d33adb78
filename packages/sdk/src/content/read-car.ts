import { asyncIterableReader, readBlockHead, readHeader } from '@ipld/car/decoder'
import { type Cid, cidDigest, cidFromBytes, type Sha256Function, sha256 } from '@oikos/core'
import { CarError } from './car-error.ts'
import { type CarLimits, DEFAULT_CAR_LIMITS } from './car-limits.ts'

/** One checked block of an archive. */
type CarBlock = { readonly cid: Cid; readonly bytes: Uint8Array }

/** An archive on its way in: its roots, and its blocks, each compared with its CID before it is given. */
export type CarReading = { readonly roots: readonly Cid[]; readonly blocks: AsyncGenerator<CarBlock> }

type BytesReader = ReturnType<typeof asyncIterableReader>

/** Bytes of a header: {@link DEFAULT_CAR_LIMITS} roots of 41 bytes each, rounded up. */
const MAX_HEADER_BYTES = 65_536

/** Bytes that may stand before the bytes of a block: its CID; a longer one is none of ours. */
const MAX_CID_BYTES = 128

/**
 * Reads a CAR of version 1 as a stream: no length that the archive claims is believed before it is below the limit.
 * @throws {@link CarError}; `blocks` throws it too, at the first block that is wrong
 */
export async function readCar(
  bytes: AsyncIterable<Uint8Array>,
  options: { readonly limits?: Partial<CarLimits>; readonly hash?: Sha256Function; readonly signal?: AbortSignal } = {},
): Promise<CarReading> {
  const limits = { ...DEFAULT_CAR_LIMITS, ...options.limits }
  const bounds = { next: MAX_HEADER_BYTES }
  const reader = boundReader(asyncIterableReader(boundStream(bytes, limits.carBytes, options.signal)), bounds)
  const refuse = <T>(read: () => Promise<T>): Promise<T> => asCarError(read, options.signal)
  const header = await refuse(() => readHeader(reader, 1))
  if (header.roots.length > limits.roots) {
    throw new CarError('too-many-roots', `${header.roots.length} roots, at most ${limits.roots}`)
  }
  const roots = header.roots.map(({ bytes: root }) => toCid(root))
  const hash = options.hash ?? sha256
  const next = async (): Promise<CarBlock | undefined> => {
    bounds.next = MAX_CID_BYTES
    if ((await reader.upTo(1)).length === 0) return undefined
    const { cid: binary, blockLength } = await readBlockHead(reader)
    if (blockLength > limits.blockBytes) {
      throw new CarError('too-large', `a block of ${blockLength} bytes, at most ${limits.blockBytes}`)
    }
    if (blockLength < 0) throw new CarError('malformed', 'a section is shorter than its CID')
    const cid = toCid(binary.bytes)
    bounds.next = limits.blockBytes
    const block = new Uint8Array(await reader.exactly(blockLength, true))
    if (hash(block) !== cidDigest(cid)) throw new CarError('hash-mismatch', `the bytes of ${cid} are others`)
    return { cid, bytes: block }
  }
  async function* blocks(): AsyncGenerator<CarBlock> {
    let count = 0
    for (let block = await refuse(next); block !== undefined; block = await refuse(next)) {
      count += 1
      if (count > limits.blocks) throw new CarError('too-many-blocks', `more than ${limits.blocks} blocks`)
      yield block
    }
  }
  return { roots, blocks: blocks() }
}

function toCid(bytes: Uint8Array): Cid {
  const cid = cidFromBytes(bytes)
  if (cid === undefined) throw new CarError('unsupported-cid', `a CID of another kind, of ${bytes.length} bytes`)
  return cid
}

async function* boundStream(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const piece of bytes) {
    signal?.throwIfAborted()
    total += piece.length
    if (total > maxBytes) throw new CarError('too-large', `more than ${maxBytes} bytes`)
    yield piece
  }
}

/** A reader that refuses to gather more than is allowed next; the library itself would gather what a length claims. */
function boundReader(reader: BytesReader, bounds: { next: number }): BytesReader {
  return {
    upTo: (length) => reader.upTo(length),
    exactly: async (length, seek) => {
      if (length > bounds.next) throw new CarError('too-large', `a part of ${length} bytes, at most ${bounds.next}`)
      return reader.exactly(length, seek)
    },
    seek: (length) => reader.seek(length),
    get pos() {
      return reader.pos
    },
  }
}

/** Turns what the library throws at broken bytes into a {@link CarError}. */
async function asCarError<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof CarError) throw cause
    if (!(cause instanceof Error) || signal?.aborted || 'syscall' in cause) throw cause
    if (cause.message === 'Unexpected end of data') throw new CarError('truncated', 'it ends early', { cause })
    if (cause.message.startsWith('Invalid CAR version')) {
      throw new CarError('unsupported-version', 'it is not of version 1', { cause })
    }
    throw new CarError('malformed', 'its framing is broken', { cause })
  }
}
