import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { NotFoundError, UsageError } from '../errors.ts'

/**
 * Reads a whole file that the command line names.
 * @param limit most bytes that are read
 * @throws NotFoundError, UsageError for something that is no file or is too large
 */
export async function readInputFile(cwd: string, path: string, limit: { maxBytes: number }): Promise<Uint8Array> {
  const file = resolve(cwd, path)
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') {
      throw new NotFoundError(`There is no file ${JSON.stringify(path)}.`, 'Check the path.', { cause })
    }
    throw new UsageError(`${JSON.stringify(path)} cannot be read (${cause.code}).`, 'Check its permissions.', { cause })
  })
  try {
    const state = await handle.stat()
    if (!state.isFile()) throw new UsageError(`${JSON.stringify(path)} is no file.`, 'Name a regular file.')
    if (state.size > limit.maxBytes) {
      throw new UsageError(
        `${JSON.stringify(path)} has ${state.size} bytes; at most ${limit.maxBytes} are read here.`,
        'Name a smaller file.',
      )
    }
    return new Uint8Array(await handle.readFile())
  } finally {
    await handle.close()
  }
}

/** As {@link readInputFile}, for UTF-8 text. Throws UsageError for other bytes as well. */
export async function readInputText(cwd: string, path: string, limit: { maxBytes: number }): Promise<string> {
  const bytes = await readInputFile(cwd, path, limit)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UsageError(`${JSON.stringify(path)} is not UTF-8 text.`, 'Save it as UTF-8.', { cause })
  }
}
