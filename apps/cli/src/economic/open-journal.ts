import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type JournalArchive,
  type JournalFailureListener,
  openPostgresJournal,
  openSqliteJournal,
  type PaymentJournal,
} from '@oikos/runtime'
import type { OptionSpec } from '../command.ts'
import type { Context } from '../context.ts'
import { NotFoundError, UsageError } from '../errors.ts'
import type { Input } from '../input/input.ts'
import { isPostgresUrl } from '../settings.ts'

/** Commands that read a payment journal. */
export const JOURNAL_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--journal <store>',
    text: 'SQLite file, or postgres:// URL without a password (OIKOS_JOURNAL; default ~/.oikos/journal.sqlite)',
  },
]

/** Connections of one command to a PostgreSQL journal. */
const MAX_CONNECTIONS = 2

/** Lets `use` read the journal of the settings and closes it. Nothing is ever written to it, not even a missing table. */
export async function readJournalOf<Value>(
  { settings, terminal }: Context,
  input: Input,
  use: (archive: JournalArchive) => Promise<Value>,
): Promise<Value> {
  refusePassword(input)
  const archive = await open(settings.journal, terminal.cwd)
  try {
    return await use(archive)
  } finally {
    await archive.close()
  }
}

/** Opens the journal of the settings for writing; made when absent. Throws UsageError, JournalOpenError. */
export async function openJournalOf(
  { settings }: Context,
  input: Input,
  onFailure: JournalFailureListener,
): Promise<PaymentJournal & JournalArchive> {
  refusePassword(input)
  const { journal } = settings
  if (isPostgresUrl(journal)) return openPostgresJournal(journal, { maxConnections: MAX_CONNECTIONS, onFailure })
  await mkdir(dirname(journal), { recursive: true, mode: 0o700 })
  return openSqliteJournal(journal, { onFailure })
}

function refusePassword(input: Input): void {
  const given = input.text('journal')
  if (given !== undefined && isPostgresUrl(given) && hasPassword(given))
    throw new UsageError(
      'A password in the command line can be read by everybody on this machine.',
      'Put the URL into OIKOS_JOURNAL, or the password into a .pgpass file.',
    )
}

async function open(journal: string, cwd: string): Promise<JournalArchive> {
  if (isPostgresUrl(journal)) return openPostgresJournal(journal, { readOnly: true, maxConnections: MAX_CONNECTIONS })
  if (!existsSync(journal))
    throw new NotFoundError(
      `There is no journal ${JSON.stringify(shortPath(journal, cwd))}.`,
      'Name it with --journal <file>, or set OIKOS_JOURNAL.',
    )
  return openSqliteJournal(journal, { readOnly: true })
}

/** Also where the URL has no host, which node's own parser refuses and a socket in a folder needs. */
function hasPassword(url: string): boolean {
  return /^[a-z]+:\/\/[^/?#]*:[^/?#]*@/.test(url) || /[?&]password=/.test(url)
}

function shortPath(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}
