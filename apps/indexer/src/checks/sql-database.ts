import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SQLInputValue } from 'node:sqlite'
import { Pool } from 'pg'
import type { IndexPlan } from '../plan/index-plan.ts'

/** A value of a statement: what both databases take and give alike. */
export type SqlValue = string | number | null
/** A row by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>

/** The little of SQL that verdicts need, the same in SQLite and PostgreSQL: `?` for values, text and whole numbers. */
export type SqlDatabase = {
  /** Table name as it stands in statements. */
  readonly table: (name: string) => string
  readonly all: (statement: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>
  readonly close: () => Promise<void>
}

/** Milliseconds that a statement may wait for another writer, or run. */
const BUSY_MS = 5_000

/** Connections of one process. */
const MAX_CONNECTIONS = 4

/** Opens the database of a plan's checks. It is made where there is none. */
export async function openSqlDatabase(where: IndexPlan['checks']): Promise<SqlDatabase> {
  return where.kind === 'sqlite' ? openSqlite(where.file) : openPostgres(where.url, where.schema)
}

function openSqlite(file: string): SqlDatabase {
  mkdirSync(dirname(file), { recursive: true })
  // bundlers that know no node:sqlite would look for a package of that name
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = ${BUSY_MS}`)
  return {
    table: (name) => name,
    all: async (statement, values = []) =>
      database.prepare(statement).all(...(values as readonly SQLInputValue[])) as unknown as readonly SqlRow[],
    close: async () => database.close(),
  }
}

async function openPostgres(url: string, schema: string): Promise<SqlDatabase> {
  const pool = new Pool({ connectionString: url, max: MAX_CONNECTIONS, statement_timeout: BUSY_MS })
  // a lost idle connection is replaced at the next statement
  pool.on('error', () => undefined)
  await pool.query(`create schema if not exists "${schema}"`)
  return {
    table: (name) => `"${schema}".${name}`,
    all: async (statement, values = []) => {
      let count = 0
      const numbered = statement.replaceAll('?', () => {
        count += 1
        return `$${count}`
      })
      const { rows } = await pool.query<Record<string, unknown>>(numbered, [...values])
      return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
    },
    close: () => pool.end(),
  }
}

/** The driver gives bigint columns as text. */
function plain(value: unknown): SqlValue {
  if (value === null || value === undefined) return null
  return typeof value === 'number' ? value : String(value)
}
