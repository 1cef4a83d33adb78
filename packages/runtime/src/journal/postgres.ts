import type { Pool, PoolClient } from 'pg'
import type { AdapterDisposition, PaymentJournal, RollingReservation } from '../economic/host.ts'
import { assertPage, type JournalArchive, MAX_VERSIONS_PER_KEY, readArchive } from './archive.ts'
import { type JournalFailureListener, JournalOpenError } from './errors.ts'
import { isAborted, isKnownNotDone } from './postgres-errors.ts'
import { createPostgresPool, findLossySetting, type PostgresPoolOptions, storeName } from './postgres-pool.ts'
import {
  DEFAULT_FRESHNESS,
  expiredAtMs,
  type FreshnessBounds,
  isAdmitted,
  isLegalInstruction,
  ROLLING_WINDOW_MS,
  windowKey,
} from './rolling-window.ts'

/** Settings of a journal in a PostgreSQL database. */
export type PostgresJournalOptions = Omit<PostgresPoolOptions, 'onBroken'> & {
  /** Milliseconds since 1970; the clock of the database server when absent, so that all machines share one. */
  readonly clockMs?: () => bigint
  readonly freshness?: FreshnessBounds
  readonly onFailure?: JournalFailureListener
  /** Opens an existing journal for reading: nothing is created, and every write fails. */
  readonly readOnly?: boolean
}

/**
 * The same three tables as in SQLite. The row of a window is locked first by whoever reserves or releases, so shares of
 * one window are taken one after another; windows do not wait for each other.
 */
const LAYOUT = `
  CREATE TABLE IF NOT EXISTS economic_journal (
    idempotency_key text COLLATE "C" NOT NULL,
    version bigint NOT NULL CHECK (version >= 1),
    document text NOT NULL,
    PRIMARY KEY (idempotency_key, version)
  );
  CREATE TABLE IF NOT EXISTS economic_window (
    window_key text COLLATE "C" NOT NULL PRIMARY KEY,
    clock_ms bigint NOT NULL,
    active_atomic bigint NOT NULL CHECK (active_atomic >= 0)
  );
  CREATE TABLE IF NOT EXISTS economic_reservation (
    idempotency_key text COLLATE "C" NOT NULL PRIMARY KEY,
    window_key text COLLATE "C" NOT NULL REFERENCES economic_window (window_key),
    admitted_at_ms bigint NOT NULL,
    amount_atomic bigint NOT NULL CHECK (amount_atomic >= 0)
  );
  CREATE INDEX IF NOT EXISTS economic_reservation_by_age ON economic_reservation (window_key, admitted_at_ms);
`

const NEWEST = {
  name: 'economic-newest',
  text: 'SELECT document FROM economic_journal WHERE idempotency_key = $1 ORDER BY version DESC LIMIT 1',
}
/**
 * Versions have no gaps, so the predecessor exists and the successor does not exactly when the predecessor is newest; the
 * primary key lets one of several writers win.
 */
const APPEND = {
  name: 'economic-append',
  text:
    'INSERT INTO economic_journal (idempotency_key, version, document) ' +
    'SELECT $1, $2::bigint + 1, $3 WHERE $2::bigint = 0 OR EXISTS ' +
    '(SELECT 1 FROM economic_journal WHERE idempotency_key = $1 AND version = $2::bigint) ON CONFLICT DO NOTHING',
}
const LOCK_WINDOW = {
  name: 'economic-lock-window',
  text:
    'INSERT INTO economic_window AS w (window_key, clock_ms, active_atomic) ' +
    'VALUES ($1, COALESCE($2::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 0) ' +
    'ON CONFLICT (window_key) DO UPDATE SET clock_ms = GREATEST(w.clock_ms, excluded.clock_ms) ' +
    'RETURNING clock_ms, active_atomic',
}
const EXPIRE = {
  name: 'economic-expire',
  text:
    'WITH expired AS (DELETE FROM economic_reservation WHERE window_key = $1 AND admitted_at_ms <= $2 ' +
    'RETURNING amount_atomic) SELECT COALESCE(sum(amount_atomic), 0)::bigint AS expired_atomic FROM expired',
}
const SET_ACTIVE = {
  name: 'economic-set-active',
  text: 'UPDATE economic_window SET active_atomic = $2 WHERE window_key = $1',
}
const HOLD = {
  name: 'economic-hold',
  text:
    'INSERT INTO economic_reservation (idempotency_key, window_key, admitted_at_ms, amount_atomic) ' +
    'VALUES ($1, $2, $3, $4)',
}
/** The clock of the window is the higher of its own and the server's, as when a share is taken. */
const TOTALS = {
  name: 'economic-totals',
  text:
    'SELECT count(*)::text AS payments, COALESCE(sum(amount_atomic), 0)::text AS reserved_atomic ' +
    'FROM economic_reservation WHERE window_key = $1 AND admitted_at_ms + $3::bigint > GREATEST(' +
    '(SELECT clock_ms FROM economic_window WHERE window_key = $1), ' +
    'COALESCE($2::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint))',
}
const LOCK_WINDOW_OF_KEY = {
  name: 'economic-lock-window-of-key',
  text:
    'SELECT w.window_key FROM economic_window w JOIN economic_reservation r USING (window_key) ' +
    'WHERE r.idempotency_key = $1 FOR UPDATE OF w',
}
const LET_GO = {
  name: 'economic-let-go',
  text:
    'WITH gone AS (DELETE FROM economic_reservation WHERE idempotency_key = $1 RETURNING window_key, amount_atomic) ' +
    'UPDATE economic_window w SET active_atomic = w.active_atomic - gone.amount_atomic FROM gone ' +
    'WHERE w.window_key = gone.window_key',
}

/**
 * How often a transaction that the server has rolled back (serialization, deadlock) is begun again. Under READ COMMITTED
 * that hardly happens; a server that is stricter lets one of several reservations of a window through at a time.
 */
const MAX_ATTEMPTS = 100
/** Longest pause before the next attempt, milliseconds; how long it is, is left to chance, so that rivals part. */
const MAX_PAUSE_MS = 64

/** The step that failed is named by whether the server can have committed. */
class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError'
}

/**
 * A journal in PostgreSQL, for operators on several machines: any number of processes, one journal. It needs no
 * extension. `connection` is a `postgres://` URL. Throws {@link JournalOpenError}, also when the server does not sync its
 * commits to disk.
 */
export async function openPostgresJournal(
  connection: string,
  options: PostgresJournalOptions = {},
): Promise<PaymentJournal & JournalArchive> {
  const pool = await openPool(connection, options)
  const store = storeName(connection)
  const freshness = options.freshness ?? DEFAULT_FRESHNESS
  const encoder = new TextEncoder()

  const append = async (client: Pool | PoolClient, key: string, version: bigint, journal: string): Promise<boolean> => {
    const { rowCount } = await client.query({ ...APPEND, values: [key, version, journal] })
    return rowCount === 1
  }

  const reserve = async (
    client: PoolClient,
    idempotencyKey: string,
    reservation: RollingReservation,
  ): Promise<boolean> => {
    const name = windowKey(reservation)
    const window = await client.query<{ clock_ms: string; active_atomic: string }>({
      ...LOCK_WINDOW,
      values: [name, options.clockMs?.() ?? null],
    })
    const nowMs = integer(window.rows[0]?.clock_ms)
    const expired = await client.query<{ expired_atomic: string }>({ ...EXPIRE, values: [name, expiredAtMs(nowMs)] })
    const activeAtomic = integer(window.rows[0]?.active_atomic) - integer(expired.rows[0]?.expired_atomic)
    const admitted = isAdmitted(reservation, { nowMs, activeAtomic, freshness })
    const { amountAtomic } = reservation
    await client.query({ ...SET_ACTIVE, values: [name, admitted ? activeAtomic + amountAtomic : activeAtomic] })
    if (admitted) await client.query({ ...HOLD, values: [idempotencyKey, name, nowMs, amountAtomic] })
    return admitted
  }

  const release = async (client: PoolClient, idempotencyKey: string): Promise<void> => {
    await client.query({ ...LOCK_WINDOW_OF_KEY, values: [idempotencyKey] })
    await client.query({ ...LET_GO, values: [idempotencyKey] })
  }

  /** Appends last, so that a lost race rolls the window back with everything else. */
  const inTransaction = async (
    work: (client: PoolClient) => Promise<AdapterDisposition>,
  ): Promise<AdapterDisposition> => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      // At the isolation of the server or the URL: READ COMMITTED suffices, and everything above it does.
      await client.query('BEGIN')
      const disposition = await work(client)
      if (disposition === 'definitely_not_started') await client.query('ROLLBACK')
      else await commit(client)
      return disposition
    } catch (cause) {
      broken = cause instanceof Error ? cause : new Error('transaction failed', { cause })
      throw cause
    } finally {
      // A connection that failed is closed, which rolls back what it left open.
      client.release(broken)
    }
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
        const { rows } = await pool.query<{ document: string }>({ ...NEWEST, values: [idempotencyKey] })
        const document = rows[0]?.document
        if (document === undefined) return 'missing'
        sink.push(encoder.encode(document))
        return 'present'
      } catch (cause) {
        return fail('load', cause, 'failed_uncertain')
      }
    },

    compareAndSwap: async (idempotencyKey, expectedVersion, journal, rolling) => {
      if (!isLegalInstruction(rolling, expectedVersion)) return 'policy_rejected'
      try {
        if (rolling.kind === 'retain') {
          const won = await withRestarts(() =>
            appendAlone(pool, (client) => append(client, idempotencyKey, expectedVersion, journal)),
          )
          return won ? 'succeeded' : 'definitely_not_started'
        }
        const step = async (client: PoolClient): Promise<AdapterDisposition> => {
          if (rolling.kind === 'release') await release(client, idempotencyKey)
          else {
            const found = await client.query({ ...NEWEST, values: [idempotencyKey] })
            if (found.rowCount !== 0) return 'definitely_not_started'
            if (!(await reserve(client, idempotencyKey, rolling.reservation))) return 'policy_rejected'
          }
          const won = await append(client, idempotencyKey, expectedVersion, journal)
          return won ? 'succeeded' : 'definitely_not_started'
        }
        return await withRestarts(() => inTransaction(step))
      } catch (cause) {
        const uncertain = cause instanceof CommitUnknownError
        return fail('compareAndSwap', cause, uncertain ? 'failed_uncertain' : 'definitely_not_started')
      }
    },

    listKeys: async (page) => {
      assertPage(page)
      return readArchive(store, async () => {
        const { rows } = await pool.query<{ idempotency_key: string }>(
          'SELECT DISTINCT idempotency_key FROM economic_journal WHERE idempotency_key > $1 ORDER BY 1 LIMIT $2',
          [page.after ?? '', page.limit],
        )
        return rows.map((row) => row.idempotency_key)
      })
    },

    listVersions: (idempotencyKey) =>
      readArchive(store, async () => {
        const { rows } = await pool.query<{ version: string; document: string }>(
          'SELECT version, document FROM economic_journal WHERE idempotency_key = $1 ORDER BY version LIMIT $2',
          [idempotencyKey, MAX_VERSIONS_PER_KEY],
        )
        return rows.map((row) => ({ version: integer(row.version), document: row.document }))
      }),

    getReservation: (idempotencyKey) =>
      readArchive(store, async () => {
        const { rows } = await pool.query<{ admitted_at_ms: string; amount_atomic: string }>(
          'SELECT admitted_at_ms, amount_atomic FROM economic_reservation WHERE idempotency_key = $1',
          [idempotencyKey],
        )
        const row = rows[0]
        if (row === undefined) return undefined
        return { admittedAtMs: integer(row.admitted_at_ms), amountAtomic: integer(row.amount_atomic) }
      }),

    getWindowTotals: (window) =>
      readArchive(store, async () => {
        const { rows } = await pool.query<{ payments: string; reserved_atomic: string }>({
          ...TOTALS,
          values: [windowKey(window), options.clockMs?.() ?? null, ROLLING_WINDOW_MS],
        })
        return { payments: integer(rows[0]?.payments), reservedAtomic: integer(rows[0]?.reserved_atomic) }
      }),

    close: () => pool.end(),
  }
}

/** Begins again what the server has rolled back because of others. */
async function withRestarts<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (cause) {
      if (count === MAX_ATTEMPTS || !isAborted(cause)) throw cause
      const pauseMs = Math.random() * Math.min(2 ** count, MAX_PAUSE_MS)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** One statement is one transaction: unless the server says that it failed, its commit may have happened. */
async function appendAlone(pool: Pool, work: (client: PoolClient) => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (cause) {
    broken = new CommitUnknownError('the connection failed while a statement was under way', { cause })
    if (isKnownNotDone(cause)) throw cause
    throw broken
  } finally {
    client.release(broken)
  }
}

async function commit(client: PoolClient): Promise<void> {
  let command: string
  try {
    command = (await client.query('COMMIT')).command
  } catch (cause) {
    if (isKnownNotDone(cause)) throw cause
    throw new CommitUnknownError('the connection failed while a commit was under way', { cause })
  }
  // A server answers COMMIT of a failed transaction with ROLLBACK and no error.
  if (command !== 'COMMIT') throw new Error(`got ${command}, expected COMMIT: the transaction was rolled back`)
}

async function openPool(connection: string, options: PostgresJournalOptions): Promise<Pool> {
  const { onFailure, ...others } = options
  const onBroken = (cause: unknown): void => onFailure?.({ operation: 'connection', cause })
  const pool = await createPostgresPool(connection, { ...others, onBroken })
  try {
    if (options.readOnly === true) await assertLayout(pool, storeName(connection))
    else {
      await assertDurable(pool, storeName(connection))
      await createLayout(pool)
    }
    return pool
  } catch (cause) {
    await pool.end()
    if (cause instanceof JournalOpenError) throw cause
    const reason = cause instanceof Error ? cause.message : 'unknown failure'
    throw new JournalOpenError(storeName(connection), reason, { retryable: true, cause })
  }
}

async function assertDurable(pool: Pool, store: string): Promise<void> {
  const off = await findLossySetting(pool)
  if (off === undefined) return
  throw new JournalOpenError(store, `got ${off}=off, expected on: commits could be lost`, { retryable: false })
}

async function hasLayout(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: string | null }>(
    "SELECT to_regclass('economic_reservation_by_age') AS found",
  )
  return rows[0]?.found !== null
}

async function assertLayout(pool: Pool, store: string): Promise<void> {
  if (await hasLayout(pool)) return
  throw new JournalOpenError(store, 'it holds no journal; name another database', { retryable: false })
}

/** Concurrent `CREATE TABLE IF NOT EXISTS` can collide in the catalog, so the layout is made under a lock. */
async function createLayout(pool: Pool): Promise<void> {
  if (await hasLayout(pool)) return
  const client = await pool.connect()
  try {
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LAYOUT_LOCK}); ${LAYOUT} COMMIT`)
  } finally {
    client.release(true)
  }
}

/** Any number that nothing else in the database locks: "oikj" in ASCII. */
const LAYOUT_LOCK = 0x6f696b6a

/** int8 arrives as text. */
function integer(value: string | undefined): bigint {
  if (value === undefined) throw new TypeError('journal column: got nothing, expected an integer')
  return BigInt(value)
}
