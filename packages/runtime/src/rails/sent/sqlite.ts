import { integer, openSqliteFile, type SqliteFormat, text } from '../../journal/sqlite-file.ts'
import { assertFacts, type SentTransactions } from './sent-transactions.ts'

/** A memory in a file, and how to let go of it. */
export type SqliteSentTransactions = SentTransactions & { readonly close: () => void }

/** "oiks" */
const FORMAT: SqliteFormat = {
  applicationId: 0x6f696b73n,
  layoutVersion: 1n,
  layout: `
    CREATE TABLE IF NOT EXISTS sent_transaction (
      transaction_id TEXT NOT NULL PRIMARY KEY,
      facts TEXT NOT NULL,
      seen_height INTEGER CHECK (seen_height >= 0),
      seen_block TEXT,
      CHECK ((seen_height IS NULL) = (seen_block IS NULL))
    ) STRICT, WITHOUT ROWID;
  `,
}

/**
 * A memory in one SQLite file, synced to disk before anything is sent. It is complete as long as every process that pays
 * from the same wallets uses this very file, which is up to the operator. Any number of processes may share it; rails of
 * different chains may, too, since their ids differ. Throws JournalOpenError.
 */
export async function openSqliteSentTransactions(
  path: string,
  options: { readonly busyTimeoutMs?: number } = {},
): Promise<SqliteSentTransactions> {
  const database = await openSqliteFile(path, FORMAT, options)
  const prepare = (sql: string) => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    return statement
  }
  const insert = prepare('INSERT INTO sent_transaction (transaction_id, facts) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const see = prepare(
    'UPDATE sent_transaction SET seen_height = ?, seen_block = ? WHERE transaction_id = ? AND seen_block IS NOT ?',
  )
  const remove = prepare('DELETE FROM sent_transaction WHERE transaction_id = ?')
  const select = prepare('SELECT facts, seen_height, seen_block FROM sent_transaction WHERE transaction_id = ?')
  return {
    isComplete: true,
    note: async (transactionId, facts) => {
      assertFacts(facts)
      return insert.run(transactionId, facts).changes === 1n
    },
    noteSeen: async (transactionId, { height, blockId }) => {
      see.run(height, blockId, transactionId, blockId)
    },
    withdraw: async (transactionId) => {
      remove.run(transactionId)
    },
    find: async (transactionId) => {
      const row = select.get(transactionId)
      if (row === undefined) return undefined
      const block = row['seen_block']
      const seenIn = block === null ? null : { height: integer(row['seen_height']), blockId: text(block) }
      return { facts: text(row['facts']), seenIn }
    },
    close: () => database.close(),
  }
}
