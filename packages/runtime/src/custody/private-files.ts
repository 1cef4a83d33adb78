import { constants } from 'node:fs'
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CustodyError } from './errors.ts'

/** Others than the owner have some right. */
const OTHERS = 0o077

/** The largest file of custody that is read, bytes. */
const MAX_FILE_BYTES = 262_144

/**
 * Makes a folder that only its owner can enter, or checks that an existing one is such a folder. Throws
 * {@link CustodyError} `permissions` or `file_malformed`.
 */
export async function preparePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await assertPrivateFolder(folder)
}

/** Throws {@link CustodyError} unless the folder is a real one, ours, and closed to everybody else. */
export async function assertPrivateFolder(folder: string): Promise<void> {
  const status = await lstat(folder).catch((cause: unknown) => {
    throw new CustodyError('file_malformed', `the folder ${folder} cannot be read`, { cause })
  })
  if (!status.isDirectory()) throw new CustodyError('file_malformed', `${folder} is no folder`)
  assertOwn(folder, status)
}

function assertOwn(path: string, status: { readonly uid: number; readonly mode: number }): void {
  const { getuid } = process
  if (getuid !== undefined && status.uid !== getuid.call(process))
    throw new CustodyError('permissions', `${path} belongs to user ${status.uid}; it must be yours`)
  if ((status.mode & OTHERS) !== 0)
    throw new CustodyError('permissions', `${path} has mode ${(status.mode & 0o777).toString(8)}; run chmod go= on it`)
}

/**
 * The text of a file that is ours and closed to everybody else; undefined when there is none. A symbolic link is refused.
 * What is checked is what is read. Throws {@link CustodyError} `permissions` or `file_malformed`.
 */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const status = await handle.stat()
    if (!status.isFile() || status.size > MAX_FILE_BYTES)
      throw new CustodyError('file_malformed', `${path} is no file of custody`)
    assertOwn(path, status)
    return await handle.readFile('utf8')
  } catch (cause) {
    if (cause instanceof CustodyError) throw cause
    if (isMissing(cause)) return undefined
    throw new CustodyError('file_malformed', `${path} cannot be read; is it a link?`, { cause })
  } finally {
    await handle?.close()
  }
}

/**
 * Writes a file that appears whole or not at all, synced to disk, readable by its owner only.
 * @param token makes the name of the unfinished file unique
 * @param mode `new` refuses a name that is taken with {@link CustodyError} `wallet_exists`
 */
export async function writePrivateFile(
  path: string,
  text: string,
  { token, mode }: { readonly token: string; readonly mode: 'new' | 'replace' },
): Promise<void> {
  const unfinished = join(dirname(path), `.${token}.new`)
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (mode === 'replace') await rename(unfinished, path)
    else await link(unfinished, path)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      throw new CustodyError('wallet_exists', `${path} exists; no key is overwritten`)
    throw cause
  } finally {
    await rm(unfinished, { force: true })
  }
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}
