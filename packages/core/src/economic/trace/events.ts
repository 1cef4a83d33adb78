import type { Rail } from '../catalog.ts'
import type { DomainDigest } from '../digest.ts'
import type { EventKind, TraceEvent, Usage, UsageName } from '../documents/trace.ts'
import { USAGE_NAMES } from '../documents/trace.ts'

/** The counter that each kind of event raises by one. */
const COUNTERS: Readonly<Record<EventKind, UsageName | null>> = {
  run_started: null,
  journal_loaded: 'journal_reads',
  journal_committed: 'journal_writes',
  intent_reserved: null,
  invoice_loaded: 'invoice_reads',
  snapshot_loaded: 'snapshot_reads',
  plan_built: null,
  simulation_finished: 'simulations',
  approval_finished: 'approvals',
  transaction_signed: 'signatures',
  broadcast_finished: 'broadcasts',
  reconciliation_finished: 'reconciliations',
  run_finished: null,
}

const NOTHING = Object.fromEntries(USAGE_NAMES.map((name) => [name, 0n])) as Usage
/** The counters of each kind, its lengths apart. */
const COUNTED = Object.fromEntries(
  Object.entries(COUNTERS).map(([kind, counter]) => [kind, counter === null ? NOTHING : { ...NOTHING, [counter]: 1n }]),
) as Readonly<Record<EventKind, Usage>>

/** Kinds that happen on no rail. */
export const RAILLESS_KINDS: ReadonlySet<EventKind> = new Set([
  'run_started',
  'journal_loaded',
  'journal_committed',
  'run_finished',
])

/** What an event states beside its place and counters. Lengths in bytes, zero unless given. */
export type EventFacts = {
  readonly kind: EventKind
  readonly status: string
  readonly input?: DomainDigest | null
  readonly output?: DomainDigest | null
  readonly inputBytes?: number
  readonly outputBytes?: number
}

/** The counters of an event. Source: notes, section 12. */
export function usageOf(kind: EventKind, inputBytes: bigint, outputBytes: bigint): Usage {
  return { ...COUNTED[kind], input_bytes: inputBytes, output_bytes: outputBytes }
}

/** Whether counters are those of a kind of event, whatever its lengths are. */
export function isUsageOf(kind: EventKind, usage: Usage): boolean {
  const counter = COUNTERS[kind]
  for (const name of USAGE_NAMES) {
    if (name === 'input_bytes' || name === 'output_bytes') continue
    if (usage[name] !== (name === counter ? 1n : 0n)) return false
  }
  return true
}

/** An event at its place in a trace. `rail` is the settlement rail; events without rail drop it. */
export function traceEvent(index: number, rail: Rail, facts: EventFacts): TraceEvent {
  return {
    index: BigInt(index),
    kind: facts.kind,
    rail: RAILLESS_KINDS.has(facts.kind) ? null : rail,
    input_digest: facts.input ?? null,
    output_digest: facts.output ?? null,
    status: facts.status,
    usage: usageOf(facts.kind, BigInt(facts.inputBytes ?? 0), BigInt(facts.outputBytes ?? 0)),
  }
}
