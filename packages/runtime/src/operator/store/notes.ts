import type { JsonObject } from '@oikos/core'
import type { Hash } from 'viem'
import { textColumn } from '../../durable/database.ts'
import type { Decision } from '../action.ts'
import { keepable } from '../log.ts'
import { readDecision } from './action-rows.ts'
import { assertHeld, type Fence } from './leases.ts'
import { integer, query, type SqlEngine, type SqlRow } from './steps.ts'

/** Something on the chain that has to be looked at again: an account with requests, a tender, a delivery of ours. */
export type SubjectKind = 'requester' | 'tender' | 'delivery'

/** A subject with what is known about it. */
export type Subject = { readonly id: string; readonly detail: JsonObject }

/** The block up to which events were read. */
type Cursor = { readonly blockNumber: bigint; readonly blockHash: Hash }

/** What one operator process says about itself, for whoever asks. */
export type OperatorReport = { readonly holder: string; readonly detail: JsonObject; readonly atMs: bigint }

/** Why an Agent may not act, and since when. */
export type Halt = { readonly reason: string; readonly atMs: bigint }

/** Everything that an operator keeps besides its actions. Writes that take a {@link Fence} throw LeaseLostError. */
export type OperatorNotes = {
  readonly putDecision: (fence: Fence, decision: Decision) => Promise<void>
  readonly findDecision: (agent: string, id: string) => Promise<Decision | undefined>
  /** Newest first; `declined` leaves out those by which something was done. */
  readonly listDecisions: (
    agent: string,
    options: { readonly limit: number; readonly declined?: boolean },
  ) => Promise<readonly Decision[]>
  /** Adds or renews subjects, and moves the cursor of their source, in one step. */
  readonly putSubjects: (
    fence: Fence,
    found: {
      readonly source: string
      readonly cursor: Cursor
      readonly subjects: ReadonlyMap<SubjectKind, readonly Subject[]>
    },
  ) => Promise<void>
  readonly putSubject: (fence: Fence, kind: SubjectKind, subject: Subject) => Promise<void>
  readonly dropSubject: (fence: Fence, kind: SubjectKind, id: string) => Promise<void>
  /** At most `limit` behind `after`, by id. */
  readonly listSubjects: (
    agent: string,
    kind: SubjectKind,
    page: { readonly limit: number; readonly after?: string },
  ) => Promise<readonly Subject[]>
  readonly getCursor: (agent: string, source: string) => Promise<Cursor | undefined>
  /** What came of work on a package. */
  readonly putWork: (fence: Fence, id: string, detail: JsonObject, atMs: bigint) => Promise<void>
  readonly findWork: (agent: string, id: string) => Promise<JsonObject | undefined>
  /** Something that was paid for, once. */
  readonly putPurchase: (
    fence: Fence,
    id: string,
    purchase: { readonly paidAtomic: bigint; readonly detail: JsonObject },
    atMs: bigint,
  ) => Promise<void>
  readonly findPurchase: (agent: string, id: string) => Promise<JsonObject | undefined>
  /** What was paid after `sinceMs` in one asset, as `detail.asset` names it, in its smallest units. */
  readonly getPurchased: (agent: string, asset: string, sinceMs: bigint) => Promise<bigint>
  /** Nothing is signed or sent for the Agent any more, by whatever process; it takes no lease. */
  readonly halt: (agent: string, reason: string, atMs: bigint) => Promise<void>
  readonly lift: (agent: string) => Promise<void>
  readonly findHalt: (agent: string) => Promise<Halt | undefined>
  readonly putReport: (agent: string, report: OperatorReport) => Promise<void>
  readonly listReports: (agent: string) => Promise<readonly OperatorReport[]>
}

const PUT_SUBJECT = `INSERT INTO operator_subject (agent, kind, id, detail) VALUES ($1, $2, $3, $4)
  ON CONFLICT (agent, kind, id) DO UPDATE SET detail = excluded.detail`
/** So long the report of a process that says nothing more is kept. */
const REPORT_AGE_MS = 86_400_000n
/** Processes that one report lists. */
const MAX_REPORTS = 50n

/** Notes over a database. */
export function createNotes(engine: SqlEngine): OperatorNotes {
  const find = async <found>(sql: string, values: readonly string[], read: (row: SqlRow) => found) =>
    engine.read(function* () {
      const [row] = yield* query(sql, ...values)
      return row === undefined ? undefined : read(row)
    })
  const detailOf = (row: SqlRow): JsonObject => JSON.parse(textColumn(row['detail'])) as JsonObject

  return {
    putDecision: (fence, decision) =>
      engine.write(function* () {
        yield* assertHeld(fence)
        const { id, kind, subject, optionId, code, decidedBy, detail, atMs } = decision
        const reason = keepable(decision.reason)
        yield* query(
          `INSERT INTO operator_decision (agent, id, kind, subject, option_id, code, reason, decided_by, detail, at_ms)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           ON CONFLICT (agent, id) DO UPDATE SET option_id = excluded.option_id, code = excluded.code,
           reason = excluded.reason, decided_by = excluded.decided_by, detail = excluded.detail, at_ms = excluded.at_ms`,
          ...[fence.agent, id, kind, subject, optionId, code, reason, decidedBy, JSON.stringify(detail), atMs],
        )
      }),
    findDecision: (agent, id) =>
      find('SELECT * FROM operator_decision WHERE agent = $1 AND id = $2', [agent, id], readDecision),
    listDecisions: (agent, { limit, declined = false }) =>
      engine.read(function* () {
        const rows = yield* query(
          `SELECT * FROM operator_decision WHERE agent = $1 AND ($2 = 0 OR code NOT IN ('chosen'))
           ORDER BY at_ms DESC, id LIMIT $3`,
          ...[agent, declined ? 1n : 0n, BigInt(limit)],
        )
        return rows.map(readDecision)
      }),

    putSubjects: (fence, { source, cursor, subjects }) =>
      engine.write(function* () {
        yield* assertHeld(fence)
        for (const [kind, list] of subjects)
          for (const { id, detail } of list) yield* query(PUT_SUBJECT, fence.agent, kind, id, JSON.stringify(detail))
        yield* query(
          `INSERT INTO operator_cursor (agent, source, block_number, block_hash) VALUES ($1, $2, $3, $4)
           ON CONFLICT (agent, source) DO UPDATE SET block_number = excluded.block_number, block_hash = excluded.block_hash`,
          ...[fence.agent, source, cursor.blockNumber, cursor.blockHash],
        )
      }),
    putSubject: (fence, kind, { id, detail }) =>
      engine.write(function* () {
        yield* assertHeld(fence)
        yield* query(PUT_SUBJECT, fence.agent, kind, id, JSON.stringify(detail))
      }),
    dropSubject: (fence, kind, id) =>
      engine.write(function* () {
        yield* assertHeld(fence)
        yield* query('DELETE FROM operator_subject WHERE agent = $1 AND kind = $2 AND id = $3', fence.agent, kind, id)
      }),
    listSubjects: (agent, kind, { limit, after = '' }) =>
      engine.read(function* () {
        const rows = yield* query(
          'SELECT id, detail FROM operator_subject WHERE agent = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4',
          ...[agent, kind, after, BigInt(limit)],
        )
        return rows.map((row) => ({ id: textColumn(row['id']), detail: detailOf(row) }))
      }),
    getCursor: (agent, source) =>
      find('SELECT * FROM operator_cursor WHERE agent = $1 AND source = $2', [agent, source], (row) => ({
        blockNumber: integer(row['block_number']),
        blockHash: textColumn(row['block_hash']) as Hash,
      })),

    putWork: (fence, id, detail, atMs) =>
      engine.write(function* () {
        yield* assertHeld(fence)
        yield* query(
          `INSERT INTO operator_work (agent, id, detail, at_ms) VALUES ($1, $2, $3, $4)
           ON CONFLICT (agent, id) DO UPDATE SET detail = excluded.detail, at_ms = excluded.at_ms`,
          ...[fence.agent, id, JSON.stringify(detail), atMs],
        )
      }),
    findWork: (agent, id) =>
      find('SELECT detail FROM operator_work WHERE agent = $1 AND id = $2', [agent, id], detailOf),
    putPurchase: (fence, id, { paidAtomic, detail }, atMs) =>
      engine.write(function* () {
        yield* assertHeld(fence)
        yield* query(
          `INSERT INTO operator_purchase (agent, id, paid_atomic, detail, at_ms) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (agent, id) DO UPDATE SET paid_atomic = excluded.paid_atomic, detail = excluded.detail`,
          ...[fence.agent, id, paidAtomic.toString(), JSON.stringify(detail), atMs],
        )
      }),
    findPurchase: (agent, id) =>
      find('SELECT detail FROM operator_purchase WHERE agent = $1 AND id = $2', [agent, id], detailOf),
    getPurchased: (agent, asset, sinceMs) =>
      engine.read(function* () {
        const rows = yield* query(
          'SELECT paid_atomic, detail FROM operator_purchase WHERE agent = $1 AND at_ms > $2',
          ...[agent, sinceMs],
        )
        return rows
          .filter((row) => detailOf(row)['asset'] === asset)
          .reduce((total, row) => total + BigInt(String(row['paid_atomic'])), 0n)
      }),

    halt: (agent, reason, atMs) =>
      engine.write(function* () {
        yield* query(
          'INSERT INTO operator_halt (agent, reason, at_ms) VALUES ($1, $2, $3) ON CONFLICT (agent) DO NOTHING',
          ...[agent, reason, atMs],
        )
      }),
    lift: (agent) =>
      engine.write(function* () {
        yield* query('DELETE FROM operator_halt WHERE agent = $1', agent)
      }),
    findHalt: (agent) =>
      find('SELECT reason, at_ms FROM operator_halt WHERE agent = $1', [agent], (row) => ({
        reason: textColumn(row['reason']),
        atMs: integer(row['at_ms']),
      })),
    putReport: (agent, { holder, detail, atMs }) =>
      engine.write(function* () {
        yield* query('DELETE FROM operator_report WHERE agent = $1 AND at_ms < $2', agent, atMs - REPORT_AGE_MS)
        yield* query(
          `INSERT INTO operator_report (agent, holder, detail, at_ms) VALUES ($1, $2, $3, $4)
           ON CONFLICT (agent, holder) DO UPDATE SET detail = excluded.detail, at_ms = excluded.at_ms`,
          ...[agent, holder, JSON.stringify(detail), atMs],
        )
      }),
    listReports: (agent) =>
      engine.read(function* () {
        const rows = yield* query(
          'SELECT * FROM operator_report WHERE agent = $1 ORDER BY at_ms DESC LIMIT $2',
          ...[agent, MAX_REPORTS],
        )
        return rows.map((row) => ({
          holder: textColumn(row['holder']),
          detail: detailOf(row),
          atMs: integer(row['at_ms']),
        }))
      }),
  }
}
