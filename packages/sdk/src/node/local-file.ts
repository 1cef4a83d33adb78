import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { BlockTooLargeError } from '@oikos/core'
import { OPEN_TO_READ } from './scan-folder.ts'

/** Reads a `file:` URI for a content resolver: a regular file, not a link, within the bound; undefined when absent. */
export async function readLocalFile(url: URL, maxBytes: number): Promise<Uint8Array | undefined> {
  const file = fileURLToPath(url)
  const handle = await open(file, OPEN_TO_READ).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  if (handle === undefined) return undefined
  try {
    const state = await handle.stat()
    if (!state.isFile()) return undefined
    if (state.size > maxBytes) throw new BlockTooLargeError(url.href, maxBytes)
    const bytes = Buffer.alloc(state.size)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
    return new Uint8Array(bytes.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}
