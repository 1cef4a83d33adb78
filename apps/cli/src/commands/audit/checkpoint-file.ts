import { open, readFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CheckpointStore } from '@oikos/runtime/audit'
import { UsageError } from '../../errors.ts'

/** Bytes of a checkpoint that are read: a million actions and their records' hashes. */
const MAX_BYTES = 1 << 30

/** A checkpoint in a file. It is replaced by a rename, so that it is whole after any crash. */
export function checkpointFile(cwd: string, named: string): CheckpointStore {
  const file = resolve(cwd, named)
  return {
    load: async () => {
      try {
        const text = await readFile(file, 'utf8')
        if (text.length <= MAX_BYTES) return text
      } catch (cause) {
        if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
        throw unusable(named, cause)
      }
      throw unusable(named, undefined)
    },
    save: async (text) => {
      const next = `${file}.next`
      try {
        const handle = await open(next, 'w', 0o600)
        try {
          await handle.writeFile(text)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(next, file)
      } catch (cause) {
        await rm(next, { force: true })
        throw unusable(named, cause)
      }
    },
  }
}

function unusable(named: string, cause: unknown): UsageError {
  return new UsageError(
    `The checkpoint ${JSON.stringify(named)} cannot be used.`,
    'Name another file, or check the folder.',
    { cause },
  )
}
