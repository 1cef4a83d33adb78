import type { RollingInstruction, RollingReservation } from '../economic/host.ts'

/** How long a reservation counts, milliseconds: at this age it no longer does. Source: Economic Agent v1, "Public injected contract". */
export const ROLLING_WINDOW_MS = 86_400_000n

/** Largest amount a journal stores: what a signed 64-bit column holds, nine times the maximum of the standard (10^18). */
export const MAX_STORED_ATOMIC = 0x7fff_ffff_ffff_ffffn

/** How far the requested time of a payment may be from the clock of the journal. The standard leaves both to the host. */
export type FreshnessBounds = {
  /** How old a request may be, milliseconds. */
  readonly maxRequestAgeMs: bigint
  /** How far ahead of the journal's clock a request may be, milliseconds. */
  readonly maxRequestLeadMs: bigint
}

/** Ten minutes, the longest life of an intent, and one minute of clock difference between machines. */
export const DEFAULT_FRESHNESS: FreshnessBounds = { maxRequestAgeMs: 600_000n, maxRequestLeadMs: 60_000n }

/** The last version that a reservation can be given back on: version 4 marks an attempt to sign. */
const LAST_RELEASABLE_VERSION = 3n

/** Whether an instruction fits the version it is written on: reserve on none, release on 1 to 3, retain on any but none. */
export function isLegalInstruction(rolling: RollingInstruction, expectedVersion: bigint): boolean {
  switch (rolling.kind) {
    case 'reserve':
      return expectedVersion === 0n
    case 'retain':
      return expectedVersion > 0n
    case 'release':
      return expectedVersion > 0n && expectedVersion <= LAST_RELEASABLE_VERSION
    default:
      return rolling satisfies never
  }
}

/** The four things that share a window. */
export type PaymentWindow = Pick<RollingReservation, 'walletId' | 'rail' | 'network' | 'asset'>

/** One text for the four things that share a window; no two windows have the same. */
export function windowKey({ walletId, rail, network, asset }: PaymentWindow): string {
  return JSON.stringify([walletId, rail, network, asset])
}

/** A clock that steps back keeps its highest reading. Milliseconds. */
export function nondecreasing(readingMs: bigint, highestMs: bigint): bigint {
  return readingMs > highestMs ? readingMs : highestMs
}

/** Reservations admitted at this time or before no longer count. Milliseconds; negative near the origin. */
export function expiredAtMs(nowMs: bigint): bigint {
  return nowMs - ROLLING_WINDOW_MS
}

/**
 * Whether a reservation is admitted: its time is near the journal's clock, and it fits on top of what already counts.
 * `activeAtomic` is the exact sum of the reservations of the same window that have not expired. Sums are exact.
 */
export function isAdmitted(
  reservation: RollingReservation,
  { nowMs, activeAtomic, freshness }: { nowMs: bigint; activeAtomic: bigint; freshness: FreshnessBounds },
): boolean {
  const { requestedAtMs, amountAtomic, maxRolling24hAtomic } = reservation
  if (requestedAtMs + freshness.maxRequestAgeMs < nowMs) return false
  if (requestedAtMs > nowMs + freshness.maxRequestLeadMs) return false
  if (amountAtomic < 0n || activeAtomic < 0n) return false
  const totalAtomic = activeAtomic + amountAtomic
  return totalAtomic <= maxRolling24hAtomic && totalAtomic <= MAX_STORED_ATOMIC
}
