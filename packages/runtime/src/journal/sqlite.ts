import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { AdapterDisposition, PaymentJournal, RollingInstruction, RollingReservation } from '../economic/host.ts'
import { assertPage, type JournalArchive, MAX_VERSIONS_PER_KEY, readArchive } from './archive.ts'
import { type JournalFailureListener, JournalOpenError } from './errors.ts'
import {
  DEFAULT_FRESHNESS,
  expiredAtMs,
  type FreshnessBounds,
  isAdmitted,
  isLegalInstruction,
  nondecreasing,
  windowKey,
} from './rolling-window.ts'

/** Settings of a journal in an SQLite file. */
export type SqliteJournalOptions = {
  /** Milliseconds since 1970; the system clock when absent. The file keeps the highest reading of each window. */
  readonly clockMs?: () => bigint
  readonly freshness?: FreshnessBounds
  readonly onFailure?: JournalFailureListener
  /** How long a writer waits for another process, milliseconds. Default 5000. */
  readonly busyTimeoutMs?: number
  /** Opens an existing file for reading: every write fails. */
  readonly readOnly?: boolean
}

/** Marks a file as one of ours ("oikj"), and its layout. Source: SQLite file format, application_id and user_version. */
const APPLICATION_ID = 0x6f696b6an
const LAYOUT_VERSION = 1n

/**
 * One row a version, never rewritten. `version` counts from 1 without gaps, so a row of version n+1 can be inserted by
 * one writer only, and only while n is the newest. `active_atomic` is the sum of the rows of the window.
 */
const LAYOUT = `
  CREATE TABLE IF NOT EXISTS economic_journal (
    idempotency_key TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    document TEXT NOT NULL,
    PRIMARY KEY (idempotency_key, version)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS economic_window (
    window_key TEXT NOT NULL PRIMARY KEY,
    clock_ms INTEGER NOT NULL,
    active_atomic INTEGER NOT NULL CHECK (active_atomic >= 0)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS economic_reservation (
    idempotency_key TEXT NOT NULL PRIMARY KEY,
    window_key TEXT NOT NULL REFERENCES economic_window (window_key),
    admitted_at_ms INTEGER NOT NULL,
    amount_atomic INTEGER NOT NULL CHECK (amount_atomic >= 0)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS economic_reservation_by_age ON economic_reservation (window_key, admitted_at_ms);
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${LAYOUT_VERSION};
`

/**
 * A journal in one SQLite file, the default of an operator on one machine; any number of processes may share it. Every
 * commit is synced to disk before `succeeded` is said (write-ahead log, synchronous=FULL). It needs a file system with
 * working locks, so no network share. Throws {@link JournalOpenError}.
 */
export async function openSqliteJournal(
  path: string,
  options: SqliteJournalOptions = {},
): Promise<PaymentJournal & JournalArchive> {
  const database = await openDatabase(path, options)
  const clockMs = options.clockMs ?? (() => BigInt(Date.now()))
  const freshness = options.freshness ?? DEFAULT_FRESHNESS
  const encoder = new TextEncoder()

  const prepare = (sql: string) => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    return statement
  }
  const begin = prepare('BEGIN IMMEDIATE')
  const commit = prepare('COMMIT')
  const newest = prepare(
    'SELECT document FROM economic_journal WHERE idempotency_key = ? ORDER BY version DESC LIMIT 1',
  )
  const newestVersion = prepare(
    'SELECT version FROM economic_journal WHERE idempotency_key = ? ORDER BY version DESC LIMIT 1',
  )
  const append = prepare('INSERT INTO economic_journal (idempotency_key, version, document) VALUES (?, ?, ?)')
  const getWindow = prepare('SELECT clock_ms, active_atomic FROM economic_window WHERE window_key = ?')
  const putWindow = prepare(
    'INSERT INTO economic_window (window_key, clock_ms, active_atomic) VALUES (?, ?, ?) ' +
      'ON CONFLICT (window_key) DO UPDATE SET clock_ms = excluded.clock_ms, active_atomic = excluded.active_atomic',
  )
  const expire = prepare(
    'DELETE FROM economic_reservation WHERE window_key = ? AND admitted_at_ms <= ? RETURNING amount_atomic',
  )
  const hold = prepare(
    'INSERT INTO economic_reservation (idempotency_key, window_key, admitted_at_ms, amount_atomic) VALUES (?, ?, ?, ?)',
  )
  const letGo = prepare(
    'DELETE FROM economic_reservation WHERE idempotency_key = ? RETURNING window_key, amount_atomic',
  )
  const subtract = prepare('UPDATE economic_window SET active_atomic = active_atomic - ? WHERE window_key = ?')
  const keysAfter = prepare(
    'SELECT DISTINCT idempotency_key FROM economic_journal WHERE idempotency_key > ? ORDER BY idempotency_key LIMIT ?',
  )
  const versionsOf = prepare(
    'SELECT version, document FROM economic_journal WHERE idempotency_key = ? ORDER BY version LIMIT ?',
  )
  const heldBy = prepare('SELECT admitted_at_ms, amount_atomic FROM economic_reservation WHERE idempotency_key = ?')

  const totalsOf = prepare(
    'SELECT count(*) AS payments, COALESCE(sum(amount_atomic), 0) AS reserved_atomic FROM economic_reservation ' +
      'WHERE window_key = ? AND admitted_at_ms > ?',
  )

  const reserve = (idempotencyKey: string, reservation: RollingReservation): boolean => {
    const name = windowKey(reservation)
    const window = getWindow.get(name)
    const nowMs = nondecreasing(clockMs(), integer(window?.['clock_ms'] ?? 0n))
    let activeAtomic = integer(window?.['active_atomic'] ?? 0n)
    for (const row of expire.all(name, expiredAtMs(nowMs))) activeAtomic -= integer(row['amount_atomic'])
    const admitted = isAdmitted(reservation, { nowMs, activeAtomic, freshness })
    putWindow.run(name, nowMs, admitted ? activeAtomic + reservation.amountAtomic : activeAtomic)
    if (admitted) hold.run(idempotencyKey, name, nowMs, reservation.amountAtomic)
    return admitted
  }

  const release = (idempotencyKey: string): void => {
    const row = letGo.get(idempotencyKey)
    if (row !== undefined) subtract.run(integer(row['amount_atomic']), text(row['window_key']))
  }

  /** What the open transaction should end with. A rejection is committed too: it moves the clock and nothing else. */
  const apply = (
    idempotencyKey: string,
    expectedVersion: bigint,
    journal: string,
    rolling: RollingInstruction,
  ): AdapterDisposition => {
    if (integer(newestVersion.get(idempotencyKey)?.['version'] ?? 0n) !== expectedVersion)
      return 'definitely_not_started'
    if (rolling.kind === 'reserve' && !reserve(idempotencyKey, rolling.reservation)) return 'policy_rejected'
    if (rolling.kind === 'release') release(idempotencyKey)
    append.run(idempotencyKey, expectedVersion + 1n, journal)
    return 'succeeded'
  }

  const rollBack = (): void => {
    if (database.isTransaction) database.exec('ROLLBACK')
  }

  const fail = <Disposition>(
    operation: 'load' | 'compareAndSwap',
    cause: unknown,
    disposition: Disposition,
  ): Disposition => {
    options.onFailure?.({ operation, cause })
    return disposition
  }

  return {
    load: async (idempotencyKey, sink) => {
      try {
        const row = newest.get(idempotencyKey)
        if (row === undefined) return 'missing'
        sink.push(encoder.encode(text(row['document'])))
        return 'present'
      } catch (cause) {
        return fail('load', cause, 'failed_uncertain')
      }
    },

    compareAndSwap: async (idempotencyKey, expectedVersion, journal, rolling) => {
      if (!isLegalInstruction(rolling, expectedVersion)) return 'policy_rejected'
      let disposition: AdapterDisposition
      try {
        begin.run()
        disposition = apply(idempotencyKey, expectedVersion, journal, rolling)
      } catch (cause) {
        rollBack()
        return fail('compareAndSwap', cause, 'definitely_not_started')
      }
      try {
        commit.run()
        return disposition
      } catch (cause) {
        rollBack()
        return fail('compareAndSwap', cause, 'failed_uncertain')
      }
    },

    listKeys: async (page) => {
      assertPage(page)
      return readArchive(path, () =>
        keysAfter.all(page.after ?? '', page.limit).map((row) => text(row['idempotency_key'])),
      )
    },

    listVersions: (idempotencyKey) =>
      readArchive(path, () =>
        versionsOf
          .all(idempotencyKey, MAX_VERSIONS_PER_KEY)
          .map((row) => ({ version: integer(row['version']), document: text(row['document']) })),
      ),

    getReservation: (idempotencyKey) =>
      readArchive(path, () => {
        const row = heldBy.get(idempotencyKey)
        if (row === undefined) return undefined
        return { admittedAtMs: integer(row['admitted_at_ms']), amountAtomic: integer(row['amount_atomic']) }
      }),

    getWindowTotals: (window) =>
      readArchive(path, () => {
        const name = windowKey(window)
        const nowMs = nondecreasing(clockMs(), integer(getWindow.get(name)?.['clock_ms'] ?? 0n))
        const row = totalsOf.get(name, expiredAtMs(nowMs))
        return { payments: integer(row?.['payments']), reservedAtomic: integer(row?.['reserved_atomic']) }
      }),

    close: async () => database.close(),
  }
}

async function openDatabase(path: string, options: SqliteJournalOptions): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite')
  const readOnly = options.readOnly ?? false
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly, timeout: options.busyTimeoutMs ?? 5000 })
    prepareFile(database, path, readOnly)
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
function prepareFile(database: DatabaseSync, path: string, readOnly: boolean): void {
  const pragma = (name: string): SQLInputValue | undefined => {
    const statement = database.prepare(`PRAGMA ${name}`)
    statement.setReadBigInts(true)
    return Object.values(statement.get() ?? {})[0]
  }
  const applicationId = pragma('application_id')
  const layoutVersion = pragma('user_version')
  const isNew = applicationId === 0n && layoutVersion === 0n && pragma('schema_version') === 0n
  if (!isNew && (applicationId !== APPLICATION_ID || layoutVersion !== LAYOUT_VERSION)) {
    const got = `application_id ${applicationId}, user_version ${layoutVersion}`
    const expected = `application_id ${APPLICATION_ID}, user_version ${LAYOUT_VERSION}`
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
  if (isNew) database.exec(`BEGIN IMMEDIATE; ${LAYOUT} COMMIT`)
}

function integer(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new TypeError(`journal column: got ${typeof value}, expected an integer`)
  return value
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`journal column: got ${typeof value}, expected text`)
  return value
}
