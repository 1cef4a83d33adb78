import { JournalPageError } from './errors.ts'

/** One stored version of a payment: the exact document text, its final LF included. */
export type JournalVersion = { readonly version: bigint; readonly document: string }

/** The share of the rolling window that a key holds. Amount in the smallest unit, time in milliseconds since 1970. */
export type HeldReservation = { readonly admittedAtMs: bigint; readonly amountAtomic: bigint }

/** Largest page of {@link JournalArchive.listKeys}. */
export const MAX_KEYS_PER_PAGE = 1000

/** Which keys to list: the first `limit` ones after `after`. */
export type JournalPage = { readonly after?: string; readonly limit: number }

/** Reads everything that a journal keeps. Nothing is ever pruned or rewritten: each version is one row for good. */
export type JournalArchive = {
  /** Idempotency keys in byte order; `limit` from 1 to {@link MAX_KEYS_PER_PAGE}. Throws {@link JournalPageError}. */
  readonly listKeys: (page: JournalPage) => Promise<readonly string[]>
  /** All versions of a key, oldest first; empty when the key is unknown. */
  readonly listVersions: (idempotencyKey: string) => Promise<readonly JournalVersion[]>
  /** What the key holds in the rolling window. An expired row may stay until the next reservation of its window. */
  readonly getReservation: (idempotencyKey: string) => Promise<HeldReservation | undefined>
  /** Releases files and connections. */
  readonly close: () => Promise<void>
}

/** Refuses a page that is empty or too large. */
export function assertPage({ limit }: JournalPage): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_KEYS_PER_PAGE) {
    throw new JournalPageError(limit, MAX_KEYS_PER_PAGE)
  }
}
