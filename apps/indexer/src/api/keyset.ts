import { sql } from 'ponder'
import { RestFailure } from './failure.ts'
import type { SQL } from './sql.ts'

/** Type of a value in a cursor, and of the column that it is compared with. */
type KeyKind = 'numeric' | 'bigint' | 'text'

/** One column of an order that is the same for all rows: the last ones make it total. */
export type OrderKey<Row> = {
  readonly column: SQL
  readonly kind: KeyKind
  readonly descending: boolean
  /** The value of a row, as text; the same that the column gives. */
  readonly of: (row: Row) => string
}

const SHAPES: Readonly<Record<KeyKind, RegExp>> = {
  numeric: /^-?[0-9]{1,79}$/,
  bigint: /^-?[0-9]{1,18}$/,
  text: /^[\x20-\x7e]{0,128}$/,
}

const CASTS: Readonly<Record<KeyKind, SQL>> = {
  numeric: sql.raw('numeric'),
  bigint: sql.raw('bigint'),
  text: sql.raw('text'),
}

/** A row as the cursor that continues after it. `list` and order are in it, so that no other list takes it. */
function encodeCursor<Row>(list: string, keys: readonly OrderKey<Row>[], row: Row): string {
  return Buffer.from(JSON.stringify([list, ...keys.map(({ of }) => of(row))]), 'utf8').toString('base64url')
}

/** The values of a cursor. A cursor of another list or order is refused as a bad request. */
function decodeCursor<Row>(cursor: string, list: string, keys: readonly OrderKey<Row>[]): readonly string[] {
  const refused = new RestFailure('bad_request', 'The cursor is not one of this list in this order.', 'cursor')
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refused
  }
  if (!Array.isArray(values) || values.length !== keys.length + 1 || values[0] !== list) throw refused
  return keys.map(({ kind }, index) => {
    const value: unknown = values[index + 1]
    if (typeof value !== 'string' || !SHAPES[kind].test(value)) throw refused
    return value
  })
}

/** The condition for rows behind a cursor; undefined for the first page. */
export function behind<Row>(cursor: string | undefined, list: string, keys: readonly OrderKey<Row>[]): SQL | undefined {
  if (cursor === undefined) return undefined
  const values = decodeCursor(cursor, list, keys)
  const alternatives = keys.map(({ column, kind, descending }, index) => {
    const value = (at: number): SQL => sql`${values[at]}::${CASTS[keys[at]?.kind ?? kind]}`
    const equal = keys.slice(0, index).map((key, at) => sql`${key.column} = ${value(at)}`)
    const beyond = descending ? sql`${column} < ${value(index)}` : sql`${column} > ${value(index)}`
    return sql`(${sql.join([...equal, beyond], sql` and `)})`
  })
  return sql`(${sql.join(alternatives, sql` or `)})`
}

/** The order as SQL. */
export function orderOf<Row>(keys: readonly OrderKey<Row>[]): SQL[] {
  return keys.map(({ column, descending }) => (descending ? sql`${column} desc` : sql`${column} asc`))
}

/**
 * Cuts what was read to the page, and says how it continues. Read `limit + 1` rows. A feed that grows at its end
 * (`isEndless`) continues behind its last row even where nothing is there yet.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  list: string,
  keys: readonly OrderKey<Row>[],
  isEndless = false,
): { rows: readonly Row[]; nextCursor: string | null } {
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  const goesOn = last !== undefined && (isEndless || rows.length > limit)
  return { rows: kept, nextCursor: goesOn ? encodeCursor(list, keys, last) : null }
}
