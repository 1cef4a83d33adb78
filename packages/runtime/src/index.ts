export * from './economic/index.ts'
export {
  type HeldReservation,
  type JournalArchive,
  type JournalPage,
  type JournalVersion,
  MAX_KEYS_PER_PAGE,
  MAX_VERSIONS_PER_KEY,
  type WindowTotals,
} from './journal/archive.ts'
export {
  allKeys,
  checkJournal,
  checkKey,
  type JournalCheckProgress,
  type JournalFinding,
  type JournalVerdict,
  MAX_FINDINGS,
} from './journal/check.ts'
export {
  type JournalFailure,
  type JournalFailureListener,
  JournalOpenError,
  JournalPageError,
  JournalReadError,
} from './journal/errors.ts'
export { createMemoryJournal, type MemoryJournalOptions } from './journal/memory.ts'
export { openPostgresJournal, type PostgresJournalOptions } from './journal/postgres.ts'
export {
  DEFAULT_FRESHNESS,
  type FreshnessBounds,
  MAX_STORED_ATOMIC,
  type PaymentWindow,
  ROLLING_WINDOW_MS,
} from './journal/rolling-window.ts'
export { openSqliteJournal, type SqliteJournalOptions } from './journal/sqlite.ts'
export * from './rehearsal/index.ts'
