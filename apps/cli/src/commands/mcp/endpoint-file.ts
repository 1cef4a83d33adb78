import { open, readFile, rm } from 'node:fs/promises'
import { UsageError } from '../../errors.ts'

const SCHEMA = 'oikos.mcp-endpoint.v1'
/** Bytes of such a file; any other is left alone. */
const MAX_BYTES = 4_096

/** What a client must know to speak to a server. */
export type Endpoint = { readonly url: string; readonly token: string }

/** Writes the file, readable by its owner only. One that an earlier server left is replaced, any other is not. Throws UsageError. */
export async function writeEndpoint(path: string, endpoint: Endpoint): Promise<void> {
  if (await isOurs(path)) await rm(path, { force: true })
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify({ schema: SCHEMA, ...endpoint }, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown failure'
    throw new UsageError(`${JSON.stringify(path)} cannot be written (${reason}).`, 'Name a new file.', { cause })
  }
}

async function isOurs(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.length <= MAX_BYTES && text.includes(`"schema": "${SCHEMA}"`)
}
