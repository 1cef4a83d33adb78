import { integerColumn } from '../../durable/database.ts'

/** What a statement takes. */
export type SqlValue = string | bigint | null

/** One row of an answer; integers come as bigint or as decimal text. */
export type SqlRow = Readonly<Record<string, unknown>>

/** A statement whose parameters are `$1`, `$2` and so on. */
export type Statement = { readonly sql: string; readonly values: readonly SqlValue[] }

/** The steps of one transaction: each yields a statement and is given its rows. Both engines run the same steps. */
export type Steps<result> = Generator<Statement, result, readonly SqlRow[]>

/** A database that runs steps. */
export type SqlEngine = {
  /** One transaction. Resolved: all of it is on disk. What the steps throw undoes it and is passed on. */
  readonly write: <result>(steps: () => Steps<result>) => Promise<result>
  /** Reads that need not agree with each other. */
  readonly read: <result>(steps: () => Steps<result>) => Promise<result>
  /** Answers `now_ms` by the clock that all who share the database share. */
  readonly clock: () => Statement
  readonly close: () => Promise<void>
}

/** Runs one statement within steps. */
export function* query(sql: string, ...values: readonly SqlValue[]): Steps<readonly SqlRow[]> {
  return yield { sql, values }
}

/** An integer that one of the engines has answered with. */
export function integer(value: unknown): bigint {
  return typeof value === 'string' && /^-?[0-9]{1,19}$/.test(value) ? BigInt(value) : integerColumn(value)
}

/** An integer or nothing. */
export function optionalInteger(value: unknown): bigint | undefined {
  return value === null || value === undefined ? undefined : integer(value)
}
