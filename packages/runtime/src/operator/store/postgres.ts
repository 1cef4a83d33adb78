import type { Pool, PoolClient } from 'pg'
import { isAborted } from '../../journal/postgres-errors.ts'
import { OperatorStoreError } from '../errors.ts'
import { OPERATOR_TABLES } from './layout.ts'
import { createOperatorStore, type OperatorStore } from './operator-store.ts'
import type { SqlEngine, SqlRow, Statement, Steps } from './steps.ts'

/** Settings of {@link openPostgresOperatorStore}. */
export type PostgresOperatorStoreOptions = {
  /** Connections of this process. Default 4. */
  readonly maxConnections?: number
  /** How long one statement, one connection, or a pause within a transaction may take, milliseconds. Default 10,000. */
  readonly timeoutMs?: number
}

/** Any number that nothing else in the database locks: "oiko" in ASCII. */
const LAYOUT_LOCK = 0x6f696b6f
/** How often a transaction that the server has rolled back because of others is begun again. */
const MAX_ATTEMPTS = 20
/** The clock of the server, so that the machines need not agree. */
const CLOCK: Statement = {
  sql: 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms',
  values: [],
}

/**
 * An operator database in PostgreSQL, for operators on several machines that share Agents. A process that is paused in the
 * middle of a transaction loses it: the server ends such a session after `timeoutMs`. `connection` is a `postgres://` URL.
 * Throws {@link OperatorStoreError}, also when the server does not sync its commits to disk.
 */
export async function openPostgresOperatorStore(
  connection: string,
  options: PostgresOperatorStoreOptions = {},
): Promise<OperatorStore> {
  const pool = await openPool(connection, options)
  const engine: SqlEngine = {
    write: (steps) => withRestarts(() => inTransaction(pool, steps)),
    read: (steps) => withRestarts(() => onConnection(pool, (client) => drive(client, steps))),
    clock: () => CLOCK,
    close: () => pool.end(),
  }
  return createOperatorStore(engine)
}

async function drive<result>(client: PoolClient, steps: () => Steps<result>): Promise<result> {
  const running = steps()
  let step = running.next()
  while (step.done !== true) {
    const { sql, values } = step.value
    const { rows } = await client.query<SqlRow>(sql, [...values])
    step = running.next(rows)
  }
  return step.value
}

async function inTransaction<result>(pool: Pool, steps: () => Steps<result>): Promise<result> {
  return onConnection(pool, async (client) => {
    await client.query('BEGIN')
    const result = await drive(client, steps)
    // a server answers COMMIT of a failed transaction with ROLLBACK and no error
    const { command } = await client.query('COMMIT')
    if (command !== 'COMMIT') throw new OperatorStoreError('a transaction was rolled back', { retryable: true })
    return result
  })
}

/** A connection on which something failed is closed, which undoes what it had begun. */
async function onConnection<result>(pool: Pool, work: (client: PoolClient) => Promise<result>): Promise<result> {
  const client = await pool.connect()
  let isBroken = true
  try {
    const result = await work(client)
    isBroken = false
    return result
  } finally {
    client.release(isBroken)
  }
}

async function withRestarts<value>(attempt: () => Promise<value>): Promise<value> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (cause) {
      if (count === MAX_ATTEMPTS || !isAborted(cause)) throw cause
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 ** count, 64)))
    }
  }
}

async function openPool(connection: string, options: PostgresOperatorStoreOptions): Promise<Pool> {
  const { default: pg } = await import('pg')
  const timeoutMs = options.timeoutMs ?? 10_000
  const pool = new pg.Pool({
    connectionString: connection,
    max: options.maxConnections ?? 4,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
  })
  // a connection that breaks says so in an event, also when it is idle; without a listener that ends the process
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  try {
    await assertDurable(pool)
    const client = await pool.connect()
    try {
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LAYOUT_LOCK}); ${OPERATOR_TABLES} COMMIT`)
    } finally {
      client.release(true)
    }
    return pool
  } catch (cause) {
    await pool.end()
    if (cause instanceof OperatorStoreError) throw cause
    const reason = cause instanceof Error ? cause.message : 'unknown failure'
    throw new OperatorStoreError(`cannot be opened: ${reason}`, { retryable: true, cause })
  }
}

async function assertDurable(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')",
  )
  const off = rows.find(({ setting }) => setting === 'off')
  if (off === undefined) return
  throw new OperatorStoreError(`got ${off.name}=off, expected on: commits could be lost`, { retryable: false })
}
