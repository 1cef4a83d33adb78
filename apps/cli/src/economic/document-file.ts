import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import { readInputFile } from '../input/file.ts'

/**
 * Most bytes of one document that are read from a file: twice the largest maximum of the standard, so that what is too
 * large is still refused with its own code.
 */
const MAX_DOCUMENT_BYTES = 2 * 16_777_216

/** Reads a document. Throws NotFoundError, and UsageError for what is no file or larger than any document can be. */
export function readDocument(cwd: string, path: string): Promise<Uint8Array> {
  return readInputFile(cwd, path, { maxBytes: MAX_DOCUMENT_BYTES })
}

/** Writes a new file; throws UsageError when there is one already or it cannot be made. */
export async function writeNewDocument(cwd: string, path: string, text: string): Promise<void> {
  try {
    const handle = await open(resolve(cwd, path), 'wx')
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown failure'
    throw new UsageError(`${JSON.stringify(path)} cannot be written (${reason}).`, 'Name a new file.', { cause })
  }
}
