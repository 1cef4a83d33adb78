import { join } from 'node:path'
import { isRail, isRailAddress, type Rail, type RailAddress } from '@oikos/core/economic'
import { openDurableDatabase, textColumn } from '../durable/database.ts'
import { CustodyError } from './errors.ts'

/** A signature that custody gave, or is about to give. It holds no signed bytes. */
export type SignatureEntry = {
  readonly approvalDigest: string
  readonly walletId: string
  readonly rail: Rail
  readonly unsignedDigest: string
  readonly signedDigest: string
  readonly transactionId: string
  readonly destination: RailAddress
  readonly amountAtomic: bigint
}

/** A transaction that stands for an invoice. */
export type ProofEntry = {
  readonly rail: Rail
  readonly transactionId: string
  readonly invoice: string
  readonly paymentId: string
}

/** `new`: it is now recorded. `same`: exactly this was recorded before. `conflict`: something else is in its place. */
export type RecordVerdict = 'new' | 'same' | 'conflict'

/** The durable memory of custody: one transaction for an approval, one approval for a transaction, one invoice for both. */
export type SignatureRecord = {
  /** What {@link SignatureRecord.claim} would say, as far as the unsigned bytes tell. */
  readonly look: (entry: Pick<SignatureEntry, 'approvalDigest' | 'unsignedDigest'>) => RecordVerdict
  /** Records a signature in one step; synced to disk when it returns. */
  readonly claim: (entry: SignatureEntry, nowMs: number) => RecordVerdict
  /** The signature of a transaction, or undefined. */
  readonly find: (rail: Rail, transactionId: string) => SignatureEntry | undefined
  /** Records which invoice a transaction stands for; synced to disk when it returns. */
  readonly claimProof: (entry: ProofEntry, nowMs: number) => RecordVerdict
  readonly close: () => void
}

/** "oiks" */
const APPLICATION_ID = 0x6f696b73
const TABLES = `
  CREATE TABLE signature (
    approval_digest TEXT NOT NULL PRIMARY KEY,
    wallet_id TEXT NOT NULL,
    rail TEXT NOT NULL,
    unsigned_digest TEXT NOT NULL UNIQUE,
    signed_digest TEXT NOT NULL UNIQUE,
    transaction_id TEXT NOT NULL,
    destination TEXT NOT NULL,
    amount_atomic TEXT NOT NULL,
    signed_at_ms INTEGER NOT NULL,
    UNIQUE (rail, transaction_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE proof (
    rail TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    invoice TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    signed_at_ms INTEGER NOT NULL,
    PRIMARY KEY (rail, transaction_id)
  ) STRICT, WITHOUT ROWID;
`
const FILE_NAME = 'signatures.sqlite'

/** The record in a folder of custody; processes on one machine may share it. Throws DurableStoreError, here and in every call. */
export async function openSignatureRecord(folder: string): Promise<SignatureRecord> {
  const database = await openDurableDatabase(join(folder, FILE_NAME), { applicationId: APPLICATION_ID, tables: TABLES })
  const columns =
    'approval_digest, wallet_id, rail, unsigned_digest, signed_digest, transaction_id, destination, amount_atomic'
  const near = database.prepare(`SELECT ${columns} FROM signature WHERE approval_digest = ? OR unsigned_digest = ?`)
  const byTransaction = database.prepare(`SELECT ${columns} FROM signature WHERE rail = ? AND transaction_id = ?`)
  const insert = database.prepare(`INSERT INTO signature (${columns}, signed_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const proofOf = database.prepare('SELECT invoice, payment_id FROM proof WHERE rail = ? AND transaction_id = ?')
  const insertProof = database.prepare(
    'INSERT INTO proof (rail, transaction_id, invoice, payment_id, signed_at_ms) VALUES (?, ?, ?, ?, ?)',
  )

  const look = (entry: Pick<SignatureEntry, 'approvalDigest' | 'unsignedDigest'>): RecordVerdict => {
    const rows = near.all(entry.approvalDigest, entry.unsignedDigest).map(readRow)
    if (rows.length === 0) return 'new'
    const [row, ...more] = rows
    const isSame = row?.approvalDigest === entry.approvalDigest && row.unsignedDigest === entry.unsignedDigest
    return isSame && more.length === 0 ? 'same' : 'conflict'
  }

  return {
    look: (entry) => database.read(() => look(entry)),
    claim: (entry, nowMs) =>
      database.write(() => {
        const verdict = look(entry)
        const known = verdict === 'same' ? byTransaction.get(entry.rail, entry.transactionId) : undefined
        // The same bytes signed again must be the same signature.
        if (verdict === 'same') return known?.['signed_digest'] === entry.signedDigest ? 'same' : 'conflict'
        if (verdict === 'new')
          insert.run(
            entry.approvalDigest,
            entry.walletId,
            entry.rail,
            entry.unsignedDigest,
            entry.signedDigest,
            entry.transactionId,
            entry.destination,
            entry.amountAtomic.toString(),
            nowMs,
          )
        return verdict
      }),
    find: (rail, transactionId) =>
      database.read(() => {
        const row = byTransaction.get(rail, transactionId)
        return row === undefined ? undefined : readRow(row)
      }),
    claimProof: ({ rail, transactionId, invoice, paymentId }, nowMs) =>
      database.write(() => {
        const row = proofOf.get(rail, transactionId)
        if (row !== undefined)
          return row['invoice'] === invoice && row['payment_id'] === paymentId ? 'same' : 'conflict'
        insertProof.run(rail, transactionId, invoice, paymentId, nowMs)
        return 'new'
      }),
    close: () => database.close(),
  }
}

function readRow(row: Readonly<Record<string, unknown>>): SignatureEntry {
  const [rail, destination] = [textColumn(row['rail']), textColumn(row['destination'])]
  if (!isRail(rail) || !isRailAddress(rail, destination))
    throw new CustodyError('record_failed', 'a row of the record is damaged')
  return {
    approvalDigest: textColumn(row['approval_digest']),
    walletId: textColumn(row['wallet_id']),
    rail,
    unsignedDigest: textColumn(row['unsigned_digest']),
    signedDigest: textColumn(row['signed_digest']),
    transactionId: textColumn(row['transaction_id']),
    destination,
    amountAtomic: BigInt(textColumn(row['amount_atomic'])),
  }
}
