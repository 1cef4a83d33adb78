import type { PaymentJournal, RollingReservation } from '../economic/host.ts'
import { assertPage, type HeldReservation, type JournalArchive, MAX_VERSIONS_PER_KEY } from './archive.ts'
import {
  DEFAULT_FRESHNESS,
  expiredAtMs,
  type FreshnessBounds,
  isAdmitted,
  isLegalInstruction,
  nondecreasing,
  windowKey,
} from './rolling-window.ts'

/** Settings of a journal in memory. */
export type MemoryJournalOptions = {
  /** Milliseconds since 1970. A reading below an earlier one is replaced by that one. */
  readonly clockMs: () => bigint
  readonly freshness?: FreshnessBounds
}

/** `held` is in the order of admission, which is the order of expiry. */
type Window = { highestMs: bigint; activeAtomic: bigint; readonly held: Map<string, HeldReservation> }

/**
 * A journal that lives and dies with the process: for tests, simulations and rehearsals. It keeps the whole contract
 * except durability, so it must not stand behind a wallet that holds money.
 */
export function createMemoryJournal(options: MemoryJournalOptions): PaymentJournal & JournalArchive {
  const freshness = options.freshness ?? DEFAULT_FRESHNESS
  const documents = new Map<string, string[]>()
  const windows = new Map<string, Window>()
  const windowOf = new Map<string, Window>()
  const encoder = new TextEncoder()

  const reserve = (idempotencyKey: string, reservation: RollingReservation): boolean => {
    const name = windowKey(reservation)
    const window = windows.get(name) ?? { highestMs: 0n, activeAtomic: 0n, held: new Map() }
    windows.set(name, window)
    window.highestMs = nondecreasing(options.clockMs(), window.highestMs)
    for (const [key, row] of window.held) {
      if (row.admittedAtMs > expiredAtMs(window.highestMs)) break
      giveBack(key)
    }
    const { highestMs: nowMs, activeAtomic } = window
    if (!isAdmitted(reservation, { nowMs, activeAtomic, freshness })) return false
    window.held.set(idempotencyKey, { admittedAtMs: nowMs, amountAtomic: reservation.amountAtomic })
    window.activeAtomic += reservation.amountAtomic
    windowOf.set(idempotencyKey, window)
    return true
  }

  const giveBack = (idempotencyKey: string): void => {
    const window = windowOf.get(idempotencyKey)
    const row = window?.held.get(idempotencyKey)
    if (window === undefined || row === undefined) return
    window.activeAtomic -= row.amountAtomic
    window.held.delete(idempotencyKey)
    windowOf.delete(idempotencyKey)
  }

  return {
    load: async (idempotencyKey, sink) => {
      const document = documents.get(idempotencyKey)?.at(-1)
      if (document === undefined) return 'missing'
      sink.push(encoder.encode(document))
      return 'present'
    },

    compareAndSwap: async (idempotencyKey, expectedVersion, journal, rolling) => {
      if (!isLegalInstruction(rolling, expectedVersion)) return 'policy_rejected'
      const versions = documents.get(idempotencyKey) ?? []
      if (BigInt(versions.length) !== expectedVersion) return 'definitely_not_started'
      if (rolling.kind === 'reserve' && !reserve(idempotencyKey, rolling.reservation)) return 'policy_rejected'
      if (rolling.kind === 'release') giveBack(idempotencyKey)
      versions.push(journal)
      documents.set(idempotencyKey, versions)
      return 'succeeded'
    },

    listKeys: async (page) => {
      assertPage(page)
      const { after, limit } = page
      const keys = [...documents.keys()].filter((key) => after === undefined || key > after)
      return keys.sort().slice(0, limit)
    },

    listVersions: async (idempotencyKey) =>
      (documents.get(idempotencyKey) ?? [])
        .slice(0, MAX_VERSIONS_PER_KEY)
        .map((document, index) => ({ version: BigInt(index + 1), document })),

    getReservation: async (idempotencyKey) => windowOf.get(idempotencyKey)?.held.get(idempotencyKey),

    getWindowTotals: async (window) => {
      const { highestMs = 0n, held } = windows.get(windowKey(window)) ?? {}
      const expiredMs = expiredAtMs(nondecreasing(options.clockMs(), highestMs))
      const counting = [...(held?.values() ?? [])].filter(({ admittedAtMs }) => admittedAtMs > expiredMs)
      const reservedAtomic = counting.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n)
      return { payments: BigInt(counting.length), reservedAtomic }
    },

    close: async () => {},
  }
}
