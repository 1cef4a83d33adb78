import { JournalPageError, JournalReadError } from './errors.ts'
import type { PaymentWindow } from './rolling-window.ts'

/** One stored version of a payment: the exact document text, its final LF included. */
export type JournalVersion = { readonly version: bigint; readonly document: string }

/** The share of the rolling window that a key holds. Amount in the smallest unit, time in milliseconds since 1970. */
export type HeldReservation = { readonly admittedAtMs: bigint; readonly amountAtomic: bigint }

/** What counts in a window now: payments, and the sum that they hold in the smallest unit. */
export type WindowTotals = { readonly payments: bigint; readonly reservedAtomic: bigint }

/** Largest page of {@link JournalArchive.listKeys}. */
export const MAX_KEYS_PER_PAGE = 1000

/**
 * Most versions of one key that {@link JournalArchive.listVersions} gives. A legal journal ends at version 135 or before:
 * 7 and two for each of 64 observations.
 */
export const MAX_VERSIONS_PER_KEY = 256

/** Which keys to list: the first `limit` ones after `after`. */
export type JournalPage = { readonly after?: string; readonly limit: number }

/**
 * Reads everything that a journal keeps. Nothing is ever pruned or rewritten: each version is one row for good. Reading
 * throws {@link JournalReadError} when the store does not answer or holds what is no journal row.
 */
export type JournalArchive = {
  /** Idempotency keys in byte order; `limit` from 1 to {@link MAX_KEYS_PER_PAGE}. Throws {@link JournalPageError}. */
  readonly listKeys: (page: JournalPage) => Promise<readonly string[]>
  /** The first {@link MAX_VERSIONS_PER_KEY} versions of a key, oldest first; empty when the key is unknown. */
  readonly listVersions: (idempotencyKey: string) => Promise<readonly JournalVersion[]>
  /** What the key holds in the rolling window. An expired row may stay until the next reservation of its window. */
  readonly getReservation: (idempotencyKey: string) => Promise<HeldReservation | undefined>
  /**
   * What the reservations of a window hold that are not 24 hours old by the journal's clock; nothing for a window that nobody
   * paid from. It changes nothing, and a payment that begins at the same time may be in it or not.
   */
  readonly getWindowTotals: (window: PaymentWindow) => Promise<WindowTotals>
  /** Releases files and connections. */
  readonly close: () => Promise<void>
}

/** Refuses a page that is empty or too large. */
export function assertPage({ limit }: JournalPage): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_KEYS_PER_PAGE) {
    throw new JournalPageError(limit, MAX_KEYS_PER_PAGE)
  }
}

/** Names the store in whatever a read of it throws. */
export async function readArchive<Value>(store: string, read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (cause) {
    throw new JournalReadError(store, cause)
  }
}
