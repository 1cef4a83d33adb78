import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { JournalOpenError } from './errors.ts'

/** What a file of ours looks like. Source: SQLite file format, application_id and user_version. */
export type SqliteFormat = {
  readonly applicationId: bigint
  readonly layoutVersion: bigint
  /** Statements that create it, each with its semicolon. */
  readonly layout: string
}

/** How a file is opened. */
type SqliteFileOptions = {
  /** How long a writer waits for another process, milliseconds. Default 5000. */
  readonly busyTimeoutMs?: number
  /** Opens an existing file for reading: every write fails. */
  readonly readOnly?: boolean
}

/**
 * Opens an SQLite file whose commits are synced to disk (write-ahead log, synchronous=FULL), and writes its layout when it
 * is new. Throws {@link JournalOpenError}, also for a file that is something else.
 */
export async function openSqliteFile(
  path: string,
  format: SqliteFormat,
  options: SqliteFileOptions = {},
): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite')
  const readOnly = options.readOnly ?? false
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly, timeout: options.busyTimeoutMs ?? 5000 })
    prepareFile(database, path, format, readOnly)
    return database
  } catch (cause) {
    database?.close()
    if (cause instanceof JournalOpenError) throw cause
    throw new JournalOpenError(path, cause instanceof Error ? cause.message : 'unknown failure', {
      retryable: false,
      cause,
    })
  }
}

/** Makes commits durable and the layout ours; refuses a file that belongs to something else. */
function prepareFile(database: DatabaseSync, path: string, format: SqliteFormat, readOnly: boolean): void {
  const { applicationId: ours, layoutVersion: newest, layout } = format
  const pragma = (name: string): SQLInputValue | undefined => {
    const statement = database.prepare(`PRAGMA ${name}`)
    statement.setReadBigInts(true)
    return Object.values(statement.get() ?? {})[0]
  }
  const applicationId = pragma('application_id')
  const layoutVersion = pragma('user_version')
  const isNew = applicationId === 0n && layoutVersion === 0n && pragma('schema_version') === 0n
  if (!isNew && (applicationId !== ours || layoutVersion !== newest)) {
    const got = `application_id ${applicationId}, user_version ${layoutVersion}`
    const expected = `application_id ${ours}, user_version ${newest}`
    throw new JournalOpenError(path, `got ${got}, expected ${expected}; name another file`, { retryable: false })
  }
  if (readOnly) return
  const mode = pragma('journal_mode = WAL')
  if (mode !== 'wal') {
    throw new JournalOpenError(path, `got journal_mode ${mode}, expected wal; use a local disk`, { retryable: false })
  }
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  if (pragma('synchronous') !== 2n) {
    throw new JournalOpenError(path, 'synchronous=FULL is not available', { retryable: false })
  }
  if (isNew)
    database.exec(`BEGIN IMMEDIATE; ${layout} PRAGMA application_id = ${ours}; PRAGMA user_version = ${newest}; COMMIT`)
}

/** A column that holds an integer, read as bigint. */
export function integer(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new TypeError(`journal column: got ${typeof value}, expected an integer`)
  return value
}

/** A column that holds text. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`journal column: got ${typeof value}, expected text`)
  return value
}
