import { openDurableDatabase, textColumn } from '../durable/database.ts'

/** What a purchase was begun with: the canonical intent, and the quote as `packQuote` writes it. */
export type KeptPurchase = { readonly intent: string; readonly quote: string }

/** What is kept of purchases by their idempotency keys, so that they can be ended after a crash. Rows never change. */
export type PurchaseStore = {
  readonly find: (idempotencyKey: string) => Promise<KeptPurchase | undefined>
  /** Keeps a purchase, synced to disk, unless its key stands for one already; gives the one that is kept. */
  readonly keep: (idempotencyKey: string, purchase: KeptPurchase) => Promise<KeptPurchase>
  readonly close: () => void
}

/** "oikq" */
const APPLICATION_ID = 0x6f696b71
const TABLES = `
  CREATE TABLE purchase (
    idempotency_key TEXT NOT NULL PRIMARY KEY,
    intent TEXT NOT NULL,
    quote TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Purchases in one SQLite file, which processes of one machine may share. Throws DurableStoreError, here and in every call. */
export async function openSqlitePurchases(path: string): Promise<PurchaseStore> {
  const database = await openDurableDatabase(path, { applicationId: APPLICATION_ID, tables: TABLES })
  const select = database.prepare('SELECT intent, quote FROM purchase WHERE idempotency_key = ?')
  const insert = database.prepare('INSERT INTO purchase (idempotency_key, intent, quote) VALUES (?, ?, ?)')
  const look = (idempotencyKey: string): KeptPurchase | undefined => {
    const row = select.get(idempotencyKey)
    return row === undefined ? undefined : { intent: textColumn(row['intent']), quote: textColumn(row['quote']) }
  }
  return {
    find: async (idempotencyKey) => database.read(() => look(idempotencyKey)),
    keep: async (idempotencyKey, purchase) =>
      database.write(() => {
        const known = look(idempotencyKey)
        if (known === undefined) insert.run(idempotencyKey, purchase.intent, purchase.quote)
        return known ?? purchase
      }),
    close: () => database.close(),
  }
}
