import {
  type Approval,
  type ApprovalDecision,
  type ApprovalRequest,
  buildApproval,
  type Identifier,
  isRail,
  type Rail,
  type Sealed,
} from '@oikos/core/economic'
import { DurableStoreError, integerColumn, openDurableDatabase, textColumn } from '../durable/database.ts'
import { ApprovalError } from './errors.ts'

/** What an approver decided about one request. */
export type Verdict = {
  readonly decision: ApprovalDecision['decision']
  readonly approverId: Identifier
  /** For the operator; it enters no document. At most 1,000 characters are kept. */
  readonly reason: string
}

/** What was approved for one wallet on one rail since some time. Amount in the smallest unit of the asset. */
export type ApprovedTotals = { readonly payments: bigint; readonly amountAtomic: bigint }

/** Looks back, inside the very step that records a decision. */
export type ApprovalHistory = {
  /** What was approved at or after a time, milliseconds since 1970. */
  readonly approvedSince: (wallet: { walletId: string; rail: Rail }, sinceMs: number) => ApprovedTotals
}

/** A decision as it was recorded. */
export type LoggedApproval = {
  readonly digest: string
  /** The canonical Approval, its final LF included. */
  readonly document: string
  readonly decision: ApprovalDecision['decision']
  readonly approverId: string
  readonly reason: string
  readonly walletId: string
  readonly rail: Rail
  readonly recipient: string
  readonly amountAtomic: bigint
  readonly maxFeeAtomic: bigint
  readonly expiresAtMs: bigint
  readonly decidedAtMs: bigint
}

/** The durable memory of an approver: every decision, once for each request. Rows are never changed or removed. */
export type ApprovalLog = {
  /**
   * Records a decision in one step and gives the Approval, synced to disk. `judge` sees the history that no other decision
   * can change meanwhile. A request that was decided before keeps its first decision, and `judge` is not asked.
   */
  readonly decide: (
    request: Sealed<'approval_request', ApprovalRequest>,
    times: { readonly nowMs: number; readonly expiresAtMs: bigint },
    judge: (history: ApprovalHistory) => Verdict,
  ) => LoggedApproval
  /** The decision about a request, by its digest. */
  readonly findByRequest: (requestDigest: string) => LoggedApproval | undefined
  /** A decision by the digest of its Approval. */
  readonly find: (approvalDigest: string) => LoggedApproval | undefined
  /** The newest decisions, newest first; at most {@link MAX_LISTED}. */
  readonly list: (limit: number) => readonly LoggedApproval[]
  readonly close: () => void
}

/**
 * What custody believes in: approvals that the log has, by their digests, and no others. The log is written before an
 * approval is given, so what the engine says of one is never needed.
 */
export function approvedIn(log: Pick<ApprovalLog, 'find'>): (digest: string) => Promise<LoggedApproval | undefined> {
  return async (digest) => {
    const known = log.find(digest)
    return known?.decision === 'approved' ? known : undefined
  }
}

/** Most decisions that are listed at once. */
export const MAX_LISTED = 1_000
/** The longest reason that is kept, characters. */
const MAX_REASON_LENGTH = 1_000

/** "oika" */
const APPLICATION_ID = 0x6f696b61
const TABLES = `
  CREATE TABLE approval (
    request_digest TEXT NOT NULL PRIMARY KEY,
    approval_digest TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('approved', 'rejected')),
    approver_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    wallet_id TEXT NOT NULL,
    rail TEXT NOT NULL,
    recipient TEXT NOT NULL,
    amount_atomic TEXT NOT NULL,
    max_fee_atomic TEXT NOT NULL,
    expires_at_ms TEXT NOT NULL,
    decided_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX approval_by_time ON approval (wallet_id, rail, decided_at_ms);
`
const COLUMNS =
  'approval_digest, document, decision, approver_id, reason, wallet_id, rail, recipient, amount_atomic, ' +
  'max_fee_atomic, expires_at_ms, decided_at_ms'

/** The log in one SQLite file; processes on one machine may share it. Throws {@link ApprovalError} `log_failed`. */
export async function openApprovalLog(path: string): Promise<ApprovalLog> {
  const database = await openDurableDatabase(path, { applicationId: APPLICATION_ID, tables: TABLES }).catch(asLogError)
  const byRequest = database.prepare(`SELECT ${COLUMNS} FROM approval WHERE request_digest = ?`)
  const byApproval = database.prepare(`SELECT ${COLUMNS} FROM approval WHERE approval_digest = ?`)
  const newest = database.prepare(`SELECT ${COLUMNS} FROM approval ORDER BY decided_at_ms DESC, rowid DESC LIMIT ?`)
  const amounts = database.prepare(
    "SELECT amount_atomic FROM approval WHERE wallet_id = ? AND rail = ? AND decided_at_ms >= ? AND decision = 'approved'",
  )
  const insert = database.prepare(
    `INSERT INTO approval (request_digest, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const read = <T>(query: () => T): T => asLogFailure(() => database.read(query))
  const one = (row: Readonly<Record<string, unknown>> | undefined) => (row === undefined ? undefined : readRow(row))
  const history: ApprovalHistory = {
    approvedSince: ({ walletId, rail }, sinceMs) => {
      const rows = amounts.all(walletId, rail, sinceMs)
      const amountAtomic = rows.reduce((sum, row) => sum + BigInt(textColumn(row['amount_atomic'])), 0n)
      return { payments: BigInt(rows.length), amountAtomic }
    },
  }
  return {
    decide: (request, { nowMs, expiresAtMs }, judge) =>
      asLogFailure(() =>
        database.write(() => {
          const known = one(byRequest.get(request.digest))
          if (known !== undefined) return known
          const entry = entryOf(request, expiresAtMs, judge(history), nowMs)
          insert.run(request.digest, ...valuesOf(entry))
          return entry
        }),
      ),
    findByRequest: (requestDigest) => read(() => one(byRequest.get(requestDigest))),
    find: (approvalDigest) => read(() => one(byApproval.get(approvalDigest))),
    list: (limit) => read(() => newest.all(Math.min(limit, MAX_LISTED)).map(readRow)),
    close: () => database.close(),
  }
}

function entryOf(
  request: Sealed<'approval_request', ApprovalRequest>,
  expiresAtMs: bigint,
  { decision, approverId, reason }: Verdict,
  nowMs: number,
): LoggedApproval {
  const approval: Sealed<'approval', Approval> = buildApproval(request, {
    approval_id: approvalIdOf(request.digest),
    approver_id: approverId,
    decision,
    expires_at_ms: expiresAtMs,
  })
  const { document } = request
  return {
    digest: approval.digest,
    document: approval.text,
    decision,
    approverId,
    reason: reason.slice(0, MAX_REASON_LENGTH),
    walletId: document.wallet_id,
    rail: document.rail,
    recipient: document.recipient,
    amountAtomic: document.amount_atomic,
    maxFeeAtomic: document.max_fee_atomic,
    expiresAtMs,
    decidedAtMs: BigInt(nowMs),
  }
}

/** One request has one approval, so its id follows from the request. */
function approvalIdOf(requestDigest: string): Identifier {
  return `approval.${requestDigest.slice('sha256:'.length, 'sha256:'.length + 32)}` as Identifier
}

function valuesOf(entry: LoggedApproval): readonly (string | bigint)[] {
  return [
    entry.digest,
    entry.document,
    entry.decision,
    entry.approverId,
    entry.reason,
    entry.walletId,
    entry.rail,
    entry.recipient,
    entry.amountAtomic.toString(),
    entry.maxFeeAtomic.toString(),
    entry.expiresAtMs.toString(),
    entry.decidedAtMs,
  ]
}

function readRow(row: Readonly<Record<string, unknown>>): LoggedApproval {
  const [rail, decision] = [textColumn(row['rail']), textColumn(row['decision'])]
  if (!isRail(rail) || (decision !== 'approved' && decision !== 'rejected'))
    throw new ApprovalError('log_failed', 'a row of the log is damaged')
  return {
    digest: textColumn(row['approval_digest']),
    document: textColumn(row['document']),
    decision,
    approverId: textColumn(row['approver_id']),
    reason: textColumn(row['reason']),
    walletId: textColumn(row['wallet_id']),
    rail,
    recipient: textColumn(row['recipient']),
    amountAtomic: BigInt(textColumn(row['amount_atomic'])),
    maxFeeAtomic: BigInt(textColumn(row['max_fee_atomic'])),
    expiresAtMs: BigInt(textColumn(row['expires_at_ms'])),
    decidedAtMs: integerColumn(row['decided_at_ms']),
  }
}

function asLogFailure<T>(ask: () => T): T {
  try {
    return ask()
  } catch (cause) {
    return asLogError(cause)
  }
}

function asLogError(cause: unknown): never {
  if (!(cause instanceof DurableStoreError)) throw cause
  const disposition = cause.effect === 'uncertain' ? 'failed_uncertain' : 'definitely_not_started'
  throw new ApprovalError('log_failed', cause.message, { disposition, cause })
}
