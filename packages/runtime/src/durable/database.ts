import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * A file of facts cannot be opened, read or written. `effect` says whether what was to be written may be there: after
 * `uncertain`, read before you write again.
 */
export class DurableStoreError extends Error {
  override readonly name = 'DurableStoreError'
  readonly retryable: boolean
  readonly path: string
  readonly effect: 'not_started' | 'uncertain'

  constructor(path: string, effect: 'not_started' | 'uncertain', reason: string, cause?: unknown) {
    super(`${path}: ${reason}`, cause === undefined ? undefined : { cause })
    this.path = path
    this.effect = effect
    this.retryable = cause !== undefined
  }
}

/** What a file holds: its mark, and the tables of a new one. */
export type DurableLayout = {
  /** Marks files of this kind. Source: SQLite file format, application_id. */
  readonly applicationId: number
  /** Statements that create the tables. */
  readonly tables: string
}

/** Facts in one SQLite file. Any number of processes on one machine may share it. */
export type DurableDatabase = {
  /** A statement that reads integers as bigint. */
  readonly prepare: (sql: string) => StatementSync
  /** Runs reads and returns what they give. Throws {@link DurableStoreError}. */
  readonly read: <T>(query: () => T) => T
  /**
   * Runs reads and writes as one step that no other writer comes between. When it returns, all of it is synced to disk.
   * What `change` throws undoes it and is passed on; failures of the file are {@link DurableStoreError}.
   */
  readonly write: <T>(change: () => T) => T
  readonly close: () => void
}

const LAYOUT_VERSION = 1n
const BUSY_TIMEOUT_MS = 5_000

/**
 * Opens a file, or makes it, readable by its owner only. Commits are durable: write-ahead log with `synchronous=FULL`. It
 * needs a file system with working locks. Throws {@link DurableStoreError}.
 */
export async function openDurableDatabase(path: string, layout: DurableLayout): Promise<DurableDatabase> {
  const { DatabaseSync } = await import('node:sqlite')
  let database: DatabaseSync | undefined
  try {
    createPrivateFile(path)
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    prepareFile(database, path, layout)
    return over(database, path)
  } catch (cause) {
    database?.close()
    if (cause instanceof DurableStoreError) throw cause
    throw new DurableStoreError(path, 'not_started', 'cannot be opened', cause)
  }
}

/** The log and the index of SQLite take over the mode of the file. The folder is synced, so that the file is found again. */
function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

function over(database: DatabaseSync, path: string): DurableDatabase {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollBack = (): void => {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
  const asStoreError = (cause: unknown, effect: 'not_started' | 'uncertain'): unknown =>
    isSqliteError(cause) ? new DurableStoreError(path, effect, 'the file does not answer', cause) : cause
  return {
    prepare: (sql) => {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      return statement
    },
    read: (query) => {
      try {
        return query()
      } catch (cause) {
        throw asStoreError(cause, 'not_started')
      }
    },
    write: (change) => {
      let result: ReturnType<typeof change>
      try {
        begin.run()
        result = change()
      } catch (cause) {
        rollBack()
        throw asStoreError(cause, 'not_started')
      }
      try {
        commit.run()
        return result
      } catch (cause) {
        rollBack()
        throw asStoreError(cause, 'uncertain')
      }
    },
    close: () => database.close(),
  }
}

function isSqliteError(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_SQLITE_ERROR'
}

/** Makes commits durable and the layout the wanted one; refuses a file that belongs to something else. */
function prepareFile(database: DatabaseSync, path: string, { applicationId, tables }: DurableLayout): void {
  const pragma = (name: string): unknown => {
    const statement = database.prepare(`PRAGMA ${name}`)
    statement.setReadBigInts(true)
    return Object.values(statement.get() ?? {})[0]
  }
  const mode = pragma('journal_mode = WAL')
  if (mode !== 'wal')
    throw new DurableStoreError(path, 'not_started', `got journal_mode ${mode}, expected wal; use a local disk`)
  database.exec('PRAGMA synchronous = FULL')
  if (pragma('synchronous') !== 2n)
    throw new DurableStoreError(path, 'not_started', 'synchronous=FULL is not available')
  // Two processes may open a new file at once; only one of them makes the tables.
  database.exec('BEGIN IMMEDIATE')
  const isNew = pragma('application_id') === 0n && pragma('schema_version') === 0n
  if (isNew) {
    database.exec(tables)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${LAYOUT_VERSION}`)
  }
  const got = `${pragma('application_id')}, version ${pragma('user_version')}`
  const expected = `${applicationId}, version ${LAYOUT_VERSION}`
  database.exec(got === expected ? 'COMMIT' : 'ROLLBACK')
  if (got !== expected)
    throw new DurableStoreError(path, 'not_started', `a file of kind ${got}, expected ${expected}; name another file`)
}

/** An integer column. Throws TypeError for anything else. */
export function integerColumn(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new TypeError(`column: got ${typeof value}, expected an integer`)
  return value
}

/** A text column. Throws TypeError for anything else. */
export function textColumn(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`column: got ${typeof value}, expected text`)
  return value
}
