import type { Pool } from 'pg'
import { DurableStoreError } from '../../durable/database.ts'
import {
  createPostgresPool,
  findLossySetting,
  type PostgresPoolOptions,
  storeName,
} from '../../journal/postgres-pool.ts'
import { assertFacts, type SentTransactions } from './sent-transactions.ts'

/** As in SQLite. Heights are below 2^63 on every chain. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS sent_transaction (
    transaction_id text COLLATE "C" NOT NULL PRIMARY KEY,
    facts text NOT NULL,
    seen_height bigint CHECK (seen_height >= 0),
    seen_block text,
    CHECK ((seen_height IS NULL) = (seen_block IS NULL))
  );
`
/** Concurrent `CREATE TABLE IF NOT EXISTS` can collide in the catalog. Any number that nothing else locks: "oiks". */
const LAYOUT_LOCK = 0x6f696b73

const INSERT = {
  name: 'sent-note',
  text: 'INSERT INTO sent_transaction (transaction_id, facts) VALUES ($1, $2) ON CONFLICT DO NOTHING',
}
const SEE = {
  name: 'sent-see',
  text:
    'UPDATE sent_transaction SET seen_height = $2, seen_block = $3 ' +
    'WHERE transaction_id = $1 AND seen_block IS DISTINCT FROM $3',
}
const REMOVE = { name: 'sent-withdraw', text: 'DELETE FROM sent_transaction WHERE transaction_id = $1' }
const SELECT = {
  name: 'sent-find',
  text: 'SELECT facts, seen_height, seen_block FROM sent_transaction WHERE transaction_id = $1',
}

type Row = { readonly facts: string; readonly seen_height: string | null; readonly seen_block: string | null }

/** A memory in a database, and how to let go of its connections. */
export type PostgresSentTransactions = SentTransactions & { readonly close: () => Promise<void> }

/**
 * A memory in PostgreSQL, for wallets that pay from several machines: with a journal that they share belongs a memory that
 * they share. `connection` is a `postgres://` URL. A connection that breaks rejects the call that was under way and ends
 * nothing else. Throws DurableStoreError when the server does not answer, or does not sync its commits to disk; later calls
 * throw what `pg` throws.
 */
export async function openPostgresSentTransactions(
  connection: string,
  options: Omit<PostgresPoolOptions, 'readOnly'> = {},
): Promise<PostgresSentTransactions> {
  const pool = await openPool(connection, options)
  return {
    isComplete: true,
    note: async (transactionId, facts) => {
      assertFacts(facts)
      const { rowCount } = await pool.query({ ...INSERT, values: [transactionId, facts] })
      return rowCount === 1
    },
    noteSeen: async (transactionId, { height, blockId }) => {
      await pool.query({ ...SEE, values: [transactionId, height, blockId] })
    },
    withdraw: async (transactionId) => {
      await pool.query({ ...REMOVE, values: [transactionId] })
    },
    find: async (transactionId) => {
      const { rows } = await pool.query<Row>({ ...SELECT, values: [transactionId] })
      const row = rows[0]
      if (row === undefined) return undefined
      const { facts, seen_height: height, seen_block: blockId } = row
      return { facts, seenIn: height === null || blockId === null ? null : { height: BigInt(height), blockId } }
    },
    close: () => pool.end(),
  }
}

async function openPool(connection: string, options: Omit<PostgresPoolOptions, 'readOnly'>): Promise<Pool> {
  const pool = await createPostgresPool(connection, options)
  const store = storeName(connection)
  try {
    const off = await findLossySetting(pool)
    if (off !== undefined)
      throw new DurableStoreError(store, 'not_started', `got ${off}=off, expected on: notes could be lost`)
    const client = await pool.connect()
    try {
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LAYOUT_LOCK}); ${TABLE} COMMIT`)
    } finally {
      client.release(true)
    }
    return pool
  } catch (cause) {
    await pool.end()
    if (cause instanceof DurableStoreError) throw cause
    throw new DurableStoreError(store, 'not_started', 'cannot be opened', cause)
  }
}
