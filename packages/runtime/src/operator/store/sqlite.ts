import { openDurableDatabase } from '../../durable/database.ts'
import { OPERATOR_TABLES } from './layout.ts'
import { createOperatorStore, type OperatorStore } from './operator-store.ts'
import type { SqlEngine, SqlRow, Statement, Steps } from './steps.ts'

/** Marks files of operators: "oiko" in ASCII. */
const APPLICATION_ID = 0x6f696b6f

/** Settings of {@link openSqliteOperatorStore}. */
export type SqliteOperatorStoreOptions = {
  /** Milliseconds since 1970; the clock of the machine when absent. Leases run by it. */
  readonly clockMs?: () => bigint
}

/**
 * An operator database in one SQLite file, for the operators of one machine; any number of processes may share it. Every
 * commit is synced to disk. Throws DurableStoreError.
 */
export async function openSqliteOperatorStore(
  path: string,
  { clockMs = () => BigInt(Date.now()) }: SqliteOperatorStoreOptions = {},
): Promise<OperatorStore> {
  const tables = OPERATOR_TABLES.replaceAll('BIGINT', 'INTEGER').replaceAll(/\n {2}\);/g, '\n  ) STRICT;')
  const database = await openDurableDatabase(path, { applicationId: APPLICATION_ID, tables })
  const prepared = new Map<string, ReturnType<typeof database.prepare>>()
  const run = ({ sql, values }: Statement): readonly SqlRow[] => {
    const known = prepared.get(sql)
    const statement = known ?? database.prepare(sql.replaceAll(/\$([0-9]+)/g, '?$1'))
    if (known === undefined) prepared.set(sql, statement)
    return statement.all(...values)
  }
  const drive = <result>(steps: () => Steps<result>): result => {
    const running = steps()
    let step = running.next()
    while (step.done !== true) step = running.next(run(step.value))
    return step.value
  }
  const engine: SqlEngine = {
    write: async (steps) => database.write(() => drive(steps)),
    read: async (steps) => database.read(() => drive(steps)),
    clock: () => ({ sql: 'SELECT $1 AS now_ms', values: [clockMs()] }),
    close: async () => database.close(),
  }
  return createOperatorStore(engine)
}
