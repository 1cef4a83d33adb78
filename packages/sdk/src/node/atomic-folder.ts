import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { mapInOrder } from '@oikos/core'
import { OikosError } from '../errors/oikos-error.ts'
import { OutputFolderError } from './errors.ts'

/** Where a folder is going to be: its parent exists, itself it does not. */
export type OutputPlace = { readonly target: string; readonly parent: string }

/** Finds the place for a new folder. Throws {@link OutputFolderError} when the target exists or its parent does not. */
export async function findOutputPlace(output: string): Promise<OutputPlace> {
  const target = resolve(output)
  let parent: string
  try {
    parent = await realpath(dirname(target))
  } catch (cause) {
    throw new OutputFolderError('no-parent', output, 'its parent folder does not exist', { cause })
  }
  const place = { target: join(parent, basename(target)), parent }
  await assertFree(place)
  return place
}

async function assertFree({ target }: OutputPlace): Promise<void> {
  const existing = await lstat(target).catch(() => undefined)
  if (existing !== undefined) throw new OutputFolderError('exists', target, 'it exists already')
}

/**
 * Throws {@link OutputFolderError} when the new folder would lie in the source. Folders are compared by device and inode,
 * so that another spelling of the same folder is seen. The source cannot lie in the target, which does not exist.
 */
export async function assertOutside({ target, parent }: OutputPlace, source: string): Promise<void> {
  const { dev, ino } = await lstat(source, { bigint: true })
  for (let folder = parent; ; folder = dirname(folder)) {
    const state = await lstat(folder, { bigint: true })
    if (state.dev === dev && state.ino === ino)
      throw new OutputFolderError('overlaps-source', target, 'it lies in the source folder')
    if (folder === dirname(folder)) return
  }
}

/**
 * Lets `write` fill a folder beside the target and renames it into place when everything is on disk. On any failure or
 * abort the temporary folder is removed. Failures that are not ours become {@link OutputFolderError} `write-failed`.
 */
export async function writeFolderAtomically<Result>(
  place: OutputPlace,
  signal: AbortSignal | undefined,
  write: (folder: string) => Promise<Result>,
): Promise<Result> {
  const temporary = join(place.parent, `.${basename(place.target)}.${randomUUID()}.partial`)
  try {
    await mkdir(temporary)
    const result = await write(temporary)
    await syncTree(temporary)
    signal?.throwIfAborted()
    await assertFree(place)
    await rename(temporary, place.target)
    await syncPath(place.parent)
    return result
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true })
    if (signal?.aborted && cause === signal.reason) throw cause
    if (cause instanceof OikosError || !isSystemError(cause)) throw cause
    throw new OutputFolderError('write-failed', place.target, cause.message, { cause })
  }
}

function isSystemError(cause: unknown): cause is Error {
  return cause instanceof Error && 'syscall' in cause
}

/** Files forced to disk at the same time: as many as Node's file threads. */
const PARALLEL_SYNCS = 4

/** Forces a whole tree to disk, once at the end: nothing of it counts before the rename. */
async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = (wanted: boolean) =>
    entries.filter((entry) => entry.isDirectory() === wanted).map((entry) => join(entry.parentPath, entry.name))
  await mapInOrder(paths(false), PARALLEL_SYNCS, syncPath)
  await mapInOrder([...paths(true), folder], PARALLEL_SYNCS, syncPath)
}

/** Forces a file or the names in a folder to disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a new file, by default forced to disk; an existing one is never overwritten. */
export async function writeNewFile(
  file: string,
  bytes: Uint8Array,
  options: { readonly mode?: number; readonly deferSync?: boolean } = {},
): Promise<void> {
  const handle = await open(file, 'wx', options.mode ?? 0o666)
  try {
    await handle.writeFile(bytes)
    if (!options.deferSync) await handle.sync()
  } finally {
    await handle.close()
  }
}
