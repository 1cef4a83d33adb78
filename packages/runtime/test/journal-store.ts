import type { PaymentJournal } from '../src/economic/host.ts'
import type { JournalArchive } from '../src/journal/archive.ts'
import type { JournalFailureListener } from '../src/journal/errors.ts'
import { openPostgresJournal } from '../src/journal/postgres.ts'
import { openSqliteJournal } from '../src/journal/sqlite.ts'

/** A journal and how to look into it. */
export type OpenJournal = PaymentJournal & JournalArchive

/** Where a journal is kept, in a form that a child process can be told. */
export type JournalStore =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** Opens a store with a clock of the test's own. */
export async function openStore(
  store: JournalStore,
  options: { readonly clockMs: () => bigint; readonly onFailure?: JournalFailureListener },
): Promise<OpenJournal> {
  switch (store.kind) {
    case 'sqlite':
      return openSqliteJournal(store.path, options)
    case 'postgres':
      return openPostgresJournal(store.url, options)
    default:
      return store satisfies never
  }
}
