import { type BigIntStats, constants, lstatSync } from 'node:fs'
import { opendir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findPathFault, type PackageLimits } from '@oikos/core'
import { SourceFolderError } from './errors.ts'
import { findNameCollision } from './name-collisions.ts'

/** Opens a file that is not a link, and does not wait for the writer of a pipe. */
export const OPEN_TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** What tells one state of a file from another. */
export type FileState = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>

/** A regular file of a source folder. */
export type SourceFile = {
  /** Package path. */
  readonly path: string
  /** Place on this machine. */
  readonly file: string
  readonly sizeBytes: number
  /** State when the folder was scanned; reading the file compares with it. */
  readonly state: FileState
}

/** A scanned source folder. */
export type SourceFolder = {
  readonly folder: string
  readonly files: readonly SourceFile[]
  readonly sizeBytes: number
}

/** Which names beginning with a dot are let in. */
export type HiddenFiles = { readonly includeHidden?: boolean; readonly hidden?: readonly string[] }

/**
 * Lists the regular files of a folder in the order of their package paths. Throws {@link SourceFolderError} on links,
 * special files, unlisted dot files, names that are no package path, names that collide, and limits exceeded.
 */
export async function scanFolder(
  folder: string,
  options: HiddenFiles & { readonly limits: PackageLimits; readonly signal?: AbortSignal },
): Promise<SourceFolder> {
  const root = await findFolder(folder)
  const files: SourceFile[] = []
  const pending: string[] = ['']
  let sizeBytes = 0
  for (let prefix = pending.pop(); prefix !== undefined; prefix = pending.pop()) {
    for await (const name of listNames(join(root, prefix), prefix)) {
      options.signal?.throwIfAborted()
      const path = prefix === '' ? name : `${prefix}/${name}`
      checkName(path, name, options)
      // Without the thread pool: a hand-over costs more than the call.
      const state = lstatSync(join(root, path), { bigint: true })
      if (state.isDirectory()) {
        pending.push(path)
        continue
      }
      if (state.isSymbolicLink()) throw new SourceFolderError('symbolic-link', path, 'it is a symbolic link')
      if (!state.isFile())
        throw new SourceFolderError('special-file', path, 'it is neither a regular file nor a folder')
      files.push({ path, file: join(root, path), sizeBytes: Number(state.size), state })
      sizeBytes += Number(state.size)
      checkLimits(path, files.length, Number(state.size), sizeBytes, options.limits)
    }
  }
  files.sort((left, right) => (left.path < right.path ? -1 : 1))
  const collision = findNameCollision(files.map(({ path }) => path))
  if (collision !== undefined)
    throw new SourceFolderError(
      'name-collision',
      collision.path,
      `on some file systems it is the same as ${JSON.stringify(collision.other)}`,
    )
  return { folder: root, files, sizeBytes }
}

async function findFolder(folder: string): Promise<string> {
  try {
    const root = await realpath(folder)
    if ((await stat(root)).isDirectory()) return root
  } catch (cause) {
    throw new SourceFolderError('not-a-folder', folder, 'it does not exist or cannot be read', { cause })
  }
  throw new SourceFolderError('not-a-folder', folder, 'it is not a folder')
}

/** Names as UTF-8; Node would repair other bytes silently and then not find the file. */
async function* listNames(folder: string, prefix: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  // The option exists and changes the type of names; Node's declarations leave it out.
  const entries = await opendir(folder, { encoding: 'buffer' as unknown as BufferEncoding })
  for await (const entry of entries) {
    const bytes = entry.name as unknown as Uint8Array
    let name: string
    try {
      name = decoder.decode(bytes)
    } catch {
      throw new SourceFolderError('bad-name', prefix, 'it contains a name that is not UTF-8')
    }
    yield name
  }
}

function checkName(path: string, name: string, options: HiddenFiles & { readonly limits: PackageLimits }): void {
  const fault = findPathFault(path, options.limits)
  if (fault !== undefined) throw new SourceFolderError('bad-name', path, `${fault.code}, ${fault.message}`)
  const isListed = options.hidden?.some(
    (listed) => listed === path || listed.startsWith(`${path}/`) || path.startsWith(`${listed}/`),
  )
  if (name.startsWith('.') && !options.includeHidden && !isListed)
    throw new SourceFolderError('hidden-file', path, 'its name begins with a dot')
}

function checkLimits(path: string, files: number, fileBytes: number, totalBytes: number, limits: PackageLimits): void {
  // The manifest, a descriptor, the primary document and the terms are no entries of `files`.
  if (files > limits.files + 4) throw new SourceFolderError('too-many-files', path, `more than ${limits.files} files`)
  if (fileBytes > limits.objectBytes)
    throw new SourceFolderError('file-too-large', path, `${fileBytes} bytes, at most ${limits.objectBytes} are allowed`)
  if (totalBytes > limits.packageBytes)
    throw new SourceFolderError('package-too-large', path, `more than ${limits.packageBytes} bytes in all files`)
}
