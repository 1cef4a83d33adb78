import { isRail } from '@oikos/core/economic'
import { openDurableDatabase, textColumn } from '../../durable/database.ts'
import { judgeClaim, type Redemption, type RedemptionStore } from './redemptions.ts'
import type { InvoiceTermsDigest } from './terms.ts'

/** "oikr" */
const APPLICATION_ID = 0x6f696b72
const TABLES = `
  CREATE TABLE redemption (
    rail TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    invoice TEXT NOT NULL UNIQUE,
    payer TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    redeemed_at_ms INTEGER NOT NULL,
    PRIMARY KEY (rail, transaction_id),
    UNIQUE (payer, payment_id)
  ) STRICT, WITHOUT ROWID;
`

/**
 * Accepted payments in one SQLite file; a claim that is `new` is synced to disk before it is answered. Any number of server
 * processes on one machine may share the file. Throws DurableStoreError, here and in every call.
 */
export async function openSqliteRedemptions(path: string): Promise<RedemptionStore> {
  const database = await openDurableDatabase(path, { applicationId: APPLICATION_ID, tables: TABLES })
  const taken = database.prepare(
    'SELECT rail, transaction_id, invoice, payer, payment_id FROM redemption WHERE (rail = ? AND transaction_id = ?) ' +
      'OR (payer = ? AND payment_id = ?) OR invoice = ?',
  )
  const insert = database.prepare(
    'INSERT INTO redemption (rail, transaction_id, invoice, payer, payment_id, redeemed_at_ms) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const judge = (redemption: Redemption) => {
    const { rail, transactionId, payer, paymentId, invoice } = redemption
    return judgeClaim(redemption, taken.all(rail, transactionId, payer, paymentId, invoice).map(readRow))
  }
  return {
    claim: async (redemption) =>
      database.write(() => {
        const verdict = judge(redemption)
        if (verdict === 'new') {
          const { rail, transactionId, invoice, payer, paymentId, redeemedAtMs } = redemption
          insert.run(rail, transactionId, invoice, payer, paymentId, redeemedAtMs)
        }
        return verdict
      }),
    look: async (redemption) => database.read(() => judge(redemption)),
    close: async () => database.close(),
  }
}

function readRow(row: Readonly<Record<string, unknown>>): Omit<Redemption, 'redeemedAtMs'> {
  const rail = textColumn(row['rail'])
  if (!isRail(rail)) throw new TypeError(`redemption: got rail ${rail}`)
  return {
    rail,
    transactionId: textColumn(row['transaction_id']),
    // Only digests are ever inserted.
    invoice: textColumn(row['invoice']) as InvoiceTermsDigest,
    payer: textColumn(row['payer']),
    paymentId: textColumn(row['payment_id']),
  }
}
