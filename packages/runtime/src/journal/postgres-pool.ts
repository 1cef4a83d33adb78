import type { ClientBase, Pool } from 'pg'

/** Settings of the connections to a PostgreSQL database. */
export type PostgresPoolOptions = {
  /** Connections of this process. Default 10. */
  readonly maxConnections?: number
  /** How long one statement or one connection may take, milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /** Every write fails. */
  readonly readOnly?: boolean
  /** Hears of connections that broke. */
  readonly onBroken?: (cause: unknown) => void
}

/**
 * Connections to a database. One that breaks ends nothing but the statement that was under way on it; the next step uses
 * another one. Nothing is connected yet.
 */
export async function createPostgresPool(connection: string, options: PostgresPoolOptions): Promise<Pool> {
  const { default: pg } = await import('pg')
  const timeoutMs = options.timeoutMs ?? 10_000
  const pool = new pg.Pool({
    connectionString: connection,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    ...(options.readOnly === true ? { onConnect: denyWrites } : {}),
  })
  // A connection that breaks says so in an event, also while a statement on it is rejected; without a listener that ends
  // the process.
  pool.on('connect', (client) => client.on('error', (cause) => options.onBroken?.(cause)))
  // The same once more, when the connection was idle.
  pool.on('error', () => {})
  return pool
}

async function denyWrites(client: ClientBase): Promise<void> {
  await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY')
}

/** The setting by which a server could lose what it has committed; undefined when it syncs its commits to disk. */
export async function findLossySetting(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')",
  )
  return rows.find(({ setting }) => setting === 'off')?.name
}

/** Host and database of a connection URL, without user and password. */
export function storeName(connection: string): string {
  const url = URL.canParse(connection) ? new URL(connection) : undefined
  return url === undefined ? 'postgres' : `postgres://${url.host}${url.pathname}`
}
