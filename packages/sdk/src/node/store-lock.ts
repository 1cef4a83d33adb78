import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { OikosError } from '../errors/oikos-error.ts'

/** A content store stays locked by somebody else. Retryable. */
export class StoreLockedError extends OikosError {
  override readonly name = 'StoreLockedError'
  readonly file: string

  constructor(file: string, waitedMs: number, cause: unknown) {
    super(`The content store stayed locked for ${waitedMs} ms.`, {
      advice: 'Try again when the other process has ended its collection.',
      retryable: true,
      cause,
    })
    this.file = file
  }
}

/** Keeps two kinds of work apart, in this process and in others on this machine. */
export type StoreLock = {
  /** Works beside others that share, and never beside one that excludes. Throws {@link StoreLockedError}. */
  readonly share: <T>(work: () => Promise<T>) => Promise<T>
  /** Works alone. Throws {@link StoreLockedError}. */
  readonly exclude: <T>(work: () => Promise<T>) => Promise<T>
}

/** Longest wait for the lock: a collection holds it for one batch of removals at a time. */
const MAX_WAIT_MS = 30_000
const FIRST_PAUSE_MS = 1
const LAST_PAUSE_MS = 50
/** Open handles that are kept for the next put. */
const MAX_IDLE = 4

/**
 * A lock of the operating system on a file that SQLite manages: it ends with the process that holds it, however that ends. The
 * file is made by the first use. It needs a file system with working locks.
 */
export function createStoreLock(file: string): StoreLock {
  const idle: DatabaseSync[] = []
  const hold = async <T>(statements: readonly string[], work: () => Promise<T>): Promise<T> => {
    const database = idle.pop() ?? (await openHandle(file))
    try {
      await acquire(database, statements, file)
      try {
        return await work()
      } finally {
        database.exec('ROLLBACK')
      }
    } finally {
      if (idle.length < MAX_IDLE) idle.push(database)
      else database.close()
    }
  }
  return {
    // a transaction that has read holds a shared lock, which an exclusive one waits for
    share: (work) => hold(['BEGIN', 'SELECT 1 FROM sqlite_schema'], work),
    exclude: (work) => hold(['BEGIN EXCLUSIVE'], work),
  }
}

async function openHandle(file: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite')
  return new DatabaseSync(file, { timeout: 0 })
}

async function acquire(database: DatabaseSync, statements: readonly string[], file: string): Promise<void> {
  const startedMs = performance.now()
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
    try {
      for (const statement of statements) database.exec(statement)
      return
    } catch (cause) {
      if (database.isTransaction) database.exec('ROLLBACK')
      if (!isBusy(cause)) throw cause
      if (performance.now() - startedMs > MAX_WAIT_MS) throw new StoreLockedError(file, MAX_WAIT_MS, cause)
    }
    await sleep(pauseMs)
  }
}

/** SQLITE_BUSY with its extended codes. Source: sqlite.org/rescode.html. */
function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && (Number(cause.errcode) & 0xff) === 5
}
