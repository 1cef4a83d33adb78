import type { z } from 'zod'

/** Longest answer of the index, and how long it may take. */
const MAX_BYTES = 8 * 1_048_576
const TIMEOUT_MS = 30_000

/** Reads the REST surface of the index as any other program does. */
export type IndexClient = {
  /** The answer as the schema has it. Rejects where there is none, or another one. */
  readonly ask: <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.infer<Schema>>
}

/** A client of the API at a base URL. */
export function createIndexClient(url: string, signal: AbortSignal): IndexClient {
  return {
    ask: async (path, schema) => {
      const response = await fetch(`${url}${path}`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      const text = await response.text()
      if (!response.ok || text.length > MAX_BYTES) throw new Error(`the index answered ${response.status} to ${path}`)
      return schema.parse(JSON.parse(text))
    },
  }
}
