import { randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../errors.ts'

/**
 * Writes a new file, whole and on disk or not at all: under another name beside it, which then becomes the name. Nothing is
 * overwritten. Throws UsageError when it cannot be written, and what `pieces` throws.
 * @returns its bytes
 */
export async function writeNewFile(cwd: string, named: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const target = resolve(cwd, named)
  const temporary = join(dirname(target), `.${randomUUID()}.partial`)
  const handle = await open(temporary, 'wx').catch((cause: NodeJS.ErrnoException) => refuse(named, cause))
  let sizeBytes = 0
  try {
    try {
      for await (const piece of pieces) {
        await handle.writeFile(piece)
        sizeBytes += piece.length
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    // a link, and not a rename, since that would replace a file of this name
    await link(temporary, target).catch((cause: NodeJS.ErrnoException) => refuse(named, cause))
  } finally {
    await rm(temporary, { force: true })
  }
  return sizeBytes
}

function refuse(named: string, cause: NodeJS.ErrnoException): never {
  const advice =
    cause.code === 'EEXIST' ? 'Name a file that does not exist; nothing is overwritten.' : 'Check the folder.'
  throw new UsageError(`${JSON.stringify(named)} cannot be written (${cause.code}).`, advice, { cause })
}
