import { documentDigest, isObservedStatus, type TraceEvent, utf8, verifyEvidence } from '@oikos/core/economic'
import type { EconomicOutcome } from '../src/economic/index.ts'
import type { HeldReservation } from '../src/journal/archive.ts'
import { checkJournal } from '../src/journal/check.ts'
import type { createMemoryJournal } from '../src/journal/memory.ts'
import type { createRehearsalChain } from '../src/rehearsal/index.ts'
import type { FaultyProcess } from './simulation-faults.ts'

/** An invariant does not hold. The seed alone plays the same schedule again. */
class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly seed: number

  constructor(seed: number, invariant: string, got: string) {
    super(`seed ${seed}: ${invariant}: got ${got}`)
    this.seed = seed
  }
}

/** One world: a journal and a chain that outlive processes, and everything that left a process. */
export type World = {
  readonly seed: number
  readonly journal: ReturnType<typeof createMemoryJournal>
  readonly chain: ReturnType<typeof createRehearsalChain>
  /** Signatures and broadcasts by payment. */
  readonly signatures: Map<string, number>
  readonly broadcasts: Map<string, number>
  /** Effects of dead processes that have not happened yet. */
  readonly late: (() => Promise<unknown>)[]
  /** What was seen to go wrong inside a call, where nothing may be thrown. */
  readonly violations: string[]
  /** What was admitted to the window and not given back, as the judge remembers it, whatever the journal forgets. */
  readonly admitted: Map<string, HeldReservation>
  /** The highest reading of the journal's clock before the present step, milliseconds since 1970. */
  settledMs: bigint
  readonly maxRollingAtomic: bigint
  /** Whether no reservation can have expired yet. */
  readonly isFirstDay: () => boolean
  /** Reservations that were admitted after this time count. Milliseconds since 1970. */
  readonly countsSinceMs: () => bigint
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member))

/** A write of the journal of which nobody knows whether it happened. */
const UNCERTAIN_WRITE = /^cas.*!(uncertain|lost|throws|word)$/

/** Invariant 10 for Evidence: it replays, and what it says was written is stored; a call without a run left nothing behind. */
export async function judgeOutcome(world: World, process: FaultyProcess, outcome: EconomicOutcome): Promise<string> {
  const { seed, journal } = world
  const uncertainAt = process.calls.findIndex((call) => UNCERTAIN_WRITE.test(call))
  const later = uncertainAt === -1 ? [] : process.calls.slice(uncertainAt + 1)
  if (later.some((call) => call.startsWith('cas')))
    throw new SimulationError(seed, 'nothing is written after an uncertain write', process.calls.join(' '))
  if (outcome.kind === 'diagnostics') {
    const { calls } = process
    if (calls.some((call) => !call.startsWith('load')))
      throw new SimulationError(seed, 'diagnostics after an effect', calls.join(' '))
    return outcome.diagnostics[0].code
  }
  const { findings } = verifyEvidence(outcome.evidence.bytes)
  if (findings.length > 0) throw new SimulationError(seed, 'invariant 10, Evidence replays', text(findings[0]))
  const stored = new Map<string, string>()
  for (const key of await journal.listKeys({ limit: 10 }))
    for (const { document } of await journal.listVersions(key))
      stored.set(documentDigest('journal', utf8(document)), document)
  const named = outcome.trace.document.events.map(journalOf).filter((digest) => digest !== null)
  const missing = named.find((digest) => !stored.has(digest))
  if (missing !== undefined) throw new SimulationError(seed, 'invariant 10, what was committed is stored', missing)
  const { status } = outcome.result
  const last = stored.get(outcome.evidence.document.journal.digest)
  if (isObservedStatus(status) && last?.includes(`"state":"${status}"`) !== true)
    throw new SimulationError(seed, 'invariant 10, the end of a payment is stored', `${status}, ${last}`)
  return status
}

/** The journal that an event says is stored. */
function journalOf({ kind, status, input_digest: input, output_digest: output }: TraceEvent): string | null {
  if (kind === 'journal_loaded') return output
  return kind === 'journal_committed' && status === 'committed' ? input : null
}

const ENDS: ReadonlySet<string> = new Set(['confirmed', 'reorged', 'dropped'])

/** A payment that has reached the chain is never lost: without faults, its end is found. */
export async function judgeReached(world: World, key: string, outcome: EconomicOutcome): Promise<void> {
  if ((world.broadcasts.get(key) ?? 0) === 0) return
  const newest = (await world.journal.listVersions(key)).at(-1)?.document ?? ''
  const wasRefused = newest.includes('"state":"rejected"')
  const status = outcome.kind === 'run' ? outcome.result.status : outcome.diagnostics[0].code
  if (ENDS.has(status) || (wasRefused && status === 'adapter_failed')) return
  throw new SimulationError(world.seed, 'a payment that reached the chain is found again', `${key} ${status}`)
}

/** Tells the world that something leaves a process: only after its marker is stored, once. Invariant 8. */
export async function judgeEffect(
  { journal, violations }: World,
  key: string,
  effect: 'signature' | 'broadcast',
): Promise<void> {
  const { length: version } = await journal.listVersions(key)
  const marker = effect === 'signature' ? 4 : 6
  if (version < marker) violations.push(`${effect} of ${key} at version ${version}, expected ${marker} or later`)
}

/** What a payment counts in the window now, by the judge's own memory. */
function remember(world: World, key: string, held: HeldReservation | undefined, isReleased: boolean): bigint {
  const { admitted, seed, settledMs } = world
  if (held !== undefined && !admitted.has(key)) {
    if (held.admittedAtMs < settledMs)
      throw new SimulationError(seed, 'the clock of the window steps back', `${held.admittedAtMs} after ${settledMs}`)
    admitted.set(key, held)
  }
  if (isReleased) admitted.delete(key)
  const known = admitted.get(key)
  return known !== undefined && known.admittedAtMs > world.countsSinceMs() ? known.amountAtomic : 0n
}

/** Invariants 8 and 9, and 10 for the journal. */
export async function judgeWorld(
  world: World,
  payments: readonly { readonly idempotencyKey: string }[],
): Promise<void> {
  const { seed, journal, signatures, broadcasts } = world
  const [violation] = world.violations
  if (violation !== undefined) throw new SimulationError(seed, 'invariant 8, no effect without its marker', violation)
  let activeAtomic = 0n
  for (const { idempotencyKey: key } of payments) {
    const [signed, sent] = [signatures.get(key) ?? 0, broadcasts.get(key) ?? 0]
    if (signed > 1 || sent > signed)
      throw new SimulationError(seed, 'invariant 8, one signature and one broadcast', `${key} ${signed} ${sent}`)
    const held = await journal.getReservation(key)
    const versions = await journal.listVersions(key)
    const newest = versions.at(-1)?.document ?? ''
    const isReleased = /"state":"(cancelled|failed|rejected)"/.test(newest) && versions.length <= 4
    if (isReleased && signed > 0)
      throw new SimulationError(seed, 'what may have been signed keeps its reservation', `${key} ${newest}`)
    const isExpected = versions.length > 0 && !isReleased
    if (held === undefined ? isExpected && world.isFirstDay() : !isExpected)
      throw new SimulationError(
        seed,
        'a reservation is held from version 1 until it is released',
        `${key} ${text(held)}`,
      )
    activeAtomic += remember(world, key, held, isReleased)
  }
  if (activeAtomic > world.maxRollingAtomic)
    throw new SimulationError(seed, 'invariant 9, the rolling window', `${activeAtomic} of ${world.maxRollingAtomic}`)
  const { findings } = await checkJournal(journal)
  if (findings.length > 0) throw new SimulationError(seed, 'invariant 10, the journal', text(findings[0]))
}
