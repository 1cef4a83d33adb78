import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseSha256Digest, type Sha256Digest } from '@oikos/core'
import { SourceFolderError } from './errors.ts'
import { type FileState, OPEN_TO_READ, type SourceFile } from './scan-folder.ts'

/** Bytes read at once: large enough to keep the hash busy, small enough for several files in parallel. */
const READ_BYTES = 1024 * 1024

/** Files up to here are read at once without the thread pool, whose five hand-overs cost more than the bytes. */
const SMALL_BYTES = 64 * 1024

/** SHA-256 by the host's library, about seven times as fast as the portable one. */
export function nodeSha256(bytes: Uint8Array): Sha256Digest {
  return parseSha256Digest(`0x${createHash('sha256').update(bytes).digest('hex')}`)
}

/** Takes each piece of a file in order. */
export type ByteSink = (bytes: Uint8Array) => Promise<void>

/**
 * Reads a file once, in pieces, through SHA-256 and into `sink`; reading, hashing and writing overlap, and two pieces are
 * in memory. Throws {@link SourceFolderError} when the file is not the one that was scanned or changed meanwhile.
 */
export async function hashSourceFile(
  source: SourceFile,
  options: { readonly sink?: ByteSink; readonly signal?: AbortSignal; readonly onBytes?: (count: number) => void } = {},
): Promise<Sha256Digest> {
  if (source.sizeBytes <= SMALL_BYTES) {
    await nextTurn()
    options.signal?.throwIfAborted()
    const bytes = readSmallFile(source)
    await options.sink?.(bytes)
    options.onBytes?.(bytes.length)
    return nodeSha256(bytes)
  }
  return withUnchangedFile(source, async (handle) => {
    const hash = createHash('sha256')
    const pieceBytes = Math.min(READ_BYTES, source.sizeBytes + 1)
    const buffers = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)] as const
    let total = 0
    let pending: ReturnType<typeof handle.read<Buffer>> | undefined = handle.read(buffers[0], 0, pieceBytes)
    for (let index = 0; pending !== undefined; index ^= 1) {
      const { bytesRead } = await pending
      options.signal?.throwIfAborted()
      total += bytesRead
      if (bytesRead === 0 || total > source.sizeBytes) throw changed(source)
      const piece = buffers[index === 0 ? 0 : 1].subarray(0, bytesRead)
      pending = total < source.sizeBytes ? handle.read(buffers[index === 0 ? 1 : 0], 0, pieceBytes) : undefined
      pending?.catch(() => {}) // a failure is reported where it is awaited
      const written = options.sink?.(piece)
      hash.update(piece)
      await written
      options.onBytes?.(bytesRead)
    }
    return parseSha256Digest(`0x${hash.digest('hex')}`)
  })
}

/** Reads a whole file. Throws {@link SourceFolderError} as {@link hashSourceFile} does. */
export async function readSourceFile(source: SourceFile): Promise<Uint8Array> {
  if (source.sizeBytes <= SMALL_BYTES) return readSmallFile(source)
  return withUnchangedFile(source, async (handle) => {
    const bytes = Buffer.allocUnsafeSlow(source.sizeBytes)
    let total = 0
    while (total < bytes.length) {
      const { bytesRead } = await handle.read(bytes, total, bytes.length - total)
      if (bytesRead === 0) throw changed(source)
      total += bytesRead
    }
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  })
}

function readSmallFile(source: SourceFile): Uint8Array {
  let descriptor: number
  try {
    descriptor = openSync(source.file, OPEN_TO_READ)
  } catch (cause) {
    throw changed(source, cause)
  }
  try {
    const bytes = new Uint8Array(source.sizeBytes)
    if (!isSame(fstatSync(descriptor, { bigint: true }), source.state)) throw changed(source)
    const bytesRead = readSync(descriptor, bytes)
    if (bytesRead !== bytes.length || !isSame(fstatSync(descriptor, { bigint: true }), source.state))
      throw changed(source)
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

async function withUnchangedFile<Result>(
  source: SourceFile,
  read: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  let handle: FileHandle
  try {
    handle = await open(source.file, OPEN_TO_READ)
  } catch (cause) {
    throw changed(source, cause)
  }
  try {
    if (!isSame(await handle.stat({ bigint: true }), source.state)) throw changed(source)
    const result = await read(handle)
    if (!isSame(await handle.stat({ bigint: true }), source.state)) throw changed(source)
    return result
  } finally {
    await handle.close()
  }
}

function isSame(left: FileState, right: FileState): boolean {
  return (
    left.dev === right.dev &&
    left.ino === right.ino &&
    left.size === right.size &&
    left.mtimeNs === right.mtimeNs &&
    left.ctimeNs === right.ctimeNs
  )
}

function changed(source: SourceFile, cause?: unknown): SourceFolderError {
  return new SourceFolderError('file-changed', source.path, 'it changed while it was read', { cause })
}
