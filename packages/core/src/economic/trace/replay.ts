import { replayMismatch } from '../diagnostics.ts'
import type { EventKind, Trace, TraceEvent } from '../documents/trace.ts'
import { EVENT_KINDS } from '../documents/trace.ts'
import { isUsageOf, RAILLESS_KINDS } from './events.ts'
import { isObservedStatus, resultFault } from './result.ts'

/** The statuses that each kind of event may have; `run_finished` has the status of the result. Source: notes, section 12. */
const STATUSES: Readonly<Record<Exclude<EventKind, 'run_finished'>, readonly string[]>> = {
  run_started: ['started'],
  journal_loaded: ['missing', 'present', 'failed'],
  journal_committed: ['committed', 'failed'],
  intent_reserved: ['reserved', 'failed'],
  invoice_loaded: ['loaded', 'failed'],
  snapshot_loaded: ['loaded', 'failed'],
  plan_built: ['built', 'failed'],
  simulation_finished: ['succeeded', 'rejected', 'failed'],
  approval_finished: ['approved', 'rejected', 'failed'],
  transaction_signed: ['signed', 'failed'],
  broadcast_finished: ['accepted', 'pending', 'unknown', 'rejected', 'failed'],
  reconciliation_finished: ['pending', 'confirmed', 'reorged', 'dropped', 'failed'],
}

/** Statuses after which nothing but journal writes and the end may follow. */
const STOPPING: ReadonlySet<string> = new Set(['failed', 'rejected', 'unknown'])

/** Kinds whose digests the table fixes to null. */
const NO_INPUT: ReadonlySet<EventKind> = new Set(['journal_loaded', 'run_finished'])
const NO_OUTPUT: ReadonlySet<EventKind> = new Set(['journal_committed', 'run_finished'])
/** Kinds that read nothing of a length from the host. */
const NO_OUTPUT_BYTES: ReadonlySet<EventKind> = new Set([
  'run_started',
  'intent_reserved',
  'plan_built',
  'journal_committed',
  'run_finished',
])

/** What a run that pays must have done before its observation. */
const FULL_PREFIX: readonly EventKind[] = [
  'snapshot_loaded',
  'plan_built',
  'simulation_finished',
  'approval_finished',
  'transaction_signed',
  'broadcast_finished',
  'reconciliation_finished',
]

/** The events of a trace by kind, journal writes apart. */
export type EventsByKind = ReadonlyMap<EventKind, TraceEvent>

/** Why a trace cannot have come from a legal run, or undefined. Source: notes, section 12. */
export function traceFault(trace: Trace): string | undefined {
  const byKind = new Map<EventKind, TraceEvent>()
  return (
    sequenceFault(trace, byKind) ??
    resultFault(trace.result) ??
    startFault(trace, byKind) ??
    outcomeFault(trace, byKind)
  )
}

/** Throws SPX-G217 unless a trace replays. */
export function assertTrace(trace: Trace): void {
  const fault = traceFault(trace)
  if (fault !== undefined) throw replayMismatch(fault)
}

/** The events of a trace by kind, journal writes left out. The caller has checked the sequence. */
export function eventsByKind(trace: Trace): EventsByKind {
  return new Map(trace.events.filter((event) => event.kind !== 'journal_committed').map((event) => [event.kind, event]))
}

function sequenceFault(trace: Trace, byKind: Map<EventKind, TraceEvent>): string | undefined {
  const rails = new Set(trace.events.map((event) => event.rail).filter((rail) => rail !== null))
  if (rails.size > 1) return 'events: more than one rail'
  let reached = -1
  let stopped = false
  for (const [index, event] of trace.events.entries()) {
    const at = `events[${index}] ${event.kind}`
    if (event.index !== BigInt(index)) return `${at}: index ${event.index}`
    const fault = eventFault(event, trace)
    if (fault !== undefined) return `${at}: ${fault}`
    if (stopped && event.kind !== 'journal_committed' && event.kind !== 'run_finished') return `${at}: after a failure`
    stopped ||= event.kind !== 'run_finished' && STOPPING.has(event.status)
    if (event.kind === 'journal_committed') {
      if (reached < EVENT_KINDS.indexOf('journal_loaded') || byKind.has('run_finished')) return `${at}: out of order`
      continue
    }
    const place = EVENT_KINDS.indexOf(event.kind)
    if (place <= reached) return `${at}: out of order or repeated`
    reached = place
    byKind.set(event.kind, event)
  }
  const missing = (['run_started', 'journal_loaded', 'run_finished'] as const).find((kind) => !byKind.has(kind))
  return missing === undefined ? undefined : `events: ${missing} is missing`
}

function eventFault(event: TraceEvent, trace: Trace): string | undefined {
  const { kind, status, usage } = event
  const statuses = kind === 'run_finished' ? [trace.result.status] : STATUSES[kind]
  if (!statuses.some((candidate) => candidate === status)) return `status ${status}`
  if ((event.rail === null) !== RAILLESS_KINDS.has(kind)) return 'rail'
  if (!isUsageOf(kind, usage)) return 'usage'
  if ((usage.input_bytes !== 0n) !== (kind === 'journal_committed')) return 'usage.input_bytes'
  return digestFault(event)
}

function digestFault({
  kind,
  status,
  usage,
  input_digest: input,
  output_digest: output,
}: TraceEvent): string | undefined {
  if ((input === null) !== NO_INPUT.has(kind)) return 'input_digest'
  const absent = NO_OUTPUT.has(kind) || status === 'failed' || (kind === 'journal_loaded' && status === 'missing')
  if ((output === null) !== absent) return 'output_digest'
  const mayHaveLength = !absent && !NO_OUTPUT_BYTES.has(kind)
  if (usage.output_bytes !== 0n && !mayHaveLength) return 'usage.output_bytes'
  // Only an uncertain broadcast has an output that the host did not deliver: the provisional receipt.
  const delivered = mayHaveLength && !(kind === 'broadcast_finished' && status === 'unknown')
  return delivered && usage.output_bytes === 0n ? 'usage.output_bytes' : undefined
}

function startFault(trace: Trace, byKind: EventsByKind): string | undefined {
  const started = byKind.get('run_started')
  if (started?.input_digest !== trace.source_agent_evidence_digest) return 'run_started: source evidence'
  if (started.output_digest !== trace.policy_digest) return 'run_started: policy'
  for (const kind of ['intent_reserved', 'invoice_loaded', 'snapshot_loaded'] as const) {
    const event = byKind.get(kind)
    if (event !== undefined && event.input_digest !== trace.intent_digest) return `${kind}: intent`
  }
  return chainFault(byKind)
}

/** Each step takes what the step before it gave. */
function chainFault(byKind: EventsByKind): string | undefined {
  const links = [
    ['snapshot_loaded', 'plan_built'],
    ['plan_built', 'simulation_finished'],
    ['transaction_signed', 'broadcast_finished'],
  ] as const
  for (const [from, to] of links) {
    const taken = byKind.get(to)
    if (taken !== undefined && taken.input_digest !== byKind.get(from)?.output_digest) return `${to}: input_digest`
  }
  const observed = byKind.get('reconciliation_finished')
  const receipt = byKind.get('broadcast_finished')
  if (observed !== undefined && receipt !== undefined && observed.input_digest !== receipt.output_digest)
    return 'reconciliation_finished: input_digest'
  return undefined
}

function outcomeFault(trace: Trace, byKind: EventsByKind): string | undefined {
  const { status } = trace.result
  const observed = byKind.get('reconciliation_finished')
  const loaded = byKind.get('journal_loaded')?.status
  if (status === 'broadcast_unknown' && observed !== undefined) return 'observed, yet unknown'
  if (!isObservedStatus(status)) return undefined
  const writes = trace.events.filter((event) => event.kind === 'journal_committed')
  if (observed === undefined) {
    // D6: a journal that already holds the end of the payment gives it again, and nothing is done.
    const retained = loaded === 'present' && writes.length === 0 && byKind.size === 3
    return retained ? undefined : `${status} without an observation`
  }
  if (observed.status !== status) return `observed ${observed.status}, ended ${status}`
  if (writes.some((event) => event.status === 'failed')) return `${status} although a journal write failed`
  if (loaded === 'failed') return `${status} without a journal`
  if (loaded === 'present' && !byKind.has('snapshot_loaded')) return undefined
  const skipped = FULL_PREFIX.find((kind) => !byKind.has(kind))
  if (skipped !== undefined) return `${status} without ${skipped}`
  return loaded === 'missing' && !byKind.has('intent_reserved') ? `${status} without intent_reserved` : undefined
}
