import { type DurableLayout, integerColumn, openDurableDatabase, textColumn } from '../../durable/database.ts'
import { assertFacts, type SentTransaction, type SentTransactions } from './sent-transactions.ts'

/** A memory in a file, and how to let go of it. */
export type SqliteSentTransactions = SentTransactions & { readonly close: () => void }

/** "oiks" */
const LAYOUT: DurableLayout = {
  applicationId: 0x6f696b73,
  tables: `
    CREATE TABLE sent_transaction (
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
 * different chains may, too, since their ids differ. Throws DurableStoreError.
 */
export async function openSqliteSentTransactions(path: string): Promise<SqliteSentTransactions> {
  const database = await openDurableDatabase(path, LAYOUT)
  const insert = database.prepare(
    'INSERT INTO sent_transaction (transaction_id, facts) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const see = database.prepare('UPDATE sent_transaction SET seen_height = ?, seen_block = ? WHERE transaction_id = ?')
  const remove = database.prepare('DELETE FROM sent_transaction WHERE transaction_id = ?')
  const select = database.prepare(
    'SELECT facts, seen_height, seen_block FROM sent_transaction WHERE transaction_id = ?',
  )
  const find = (transactionId: string): SentTransaction | undefined => {
    const row = select.get(transactionId)
    if (row === undefined) return undefined
    const block = row['seen_block']
    const seenIn = block === null ? null : { height: integerColumn(row['seen_height']), blockId: textColumn(block) }
    return { facts: textColumn(row['facts']), seenIn }
  }
  return {
    isComplete: true,
    note: async (transactionId, facts) => {
      assertFacts(facts)
      return database.write(() => insert.run(transactionId, facts).changes === 1n)
    },
    noteSeen: async (transactionId, { height, blockId }) => {
      // A payment is looked at often and moves seldom: no write to the disk for what is known.
      if (database.read(() => find(transactionId))?.seenIn?.blockId === blockId) return
      database.write(() => see.run(height, blockId, transactionId))
    },
    withdraw: async (transactionId) => {
      database.write(() => remove.run(transactionId))
    },
    find: async (transactionId) => database.read(() => find(transactionId)),
    close: () => database.close(),
  }
}
