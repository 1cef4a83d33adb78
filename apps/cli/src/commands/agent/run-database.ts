import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type OperatorStore, openPostgresOperatorStore, openSqliteOperatorStore } from '@oikos/runtime/operator'
import type { OptionSpec } from '../../command.ts'
import { NotFoundError } from '../../errors.ts'
import { isPostgresUrl } from '../../settings.ts'
import type { OperatorConfig } from './run-config.ts'

/** Commands about an operator. */
export const CONFIG_OPTION: OptionSpec = {
  flags: '--config <file>',
  text: 'what the operator may do (docs/operator.md)',
}

/** Connections of one command. */
const MAX_CONNECTIONS = 4

/** Opens the operator database of a configuration; one that is only looked at must be there. Throws NotFoundError. */
export async function openOperatorDatabase(
  { database }: OperatorConfig,
  { mustExist }: { readonly mustExist: boolean },
): Promise<OperatorStore> {
  if (isPostgresUrl(database)) return openPostgresOperatorStore(database, { maxConnections: MAX_CONNECTIONS })
  if (mustExist && !existsSync(database))
    throw new NotFoundError(`There is no operator database ${JSON.stringify(database)}.`, 'Has the operator run yet?')
  await mkdir(dirname(database), { recursive: true, mode: 0o700 })
  return openSqliteOperatorStore(database)
}
