import type { sql } from 'ponder'

/** A piece of SQL with its values. Ponder passes the builder on, not its type. */
export type SQL = ReturnType<typeof sql.raw>
