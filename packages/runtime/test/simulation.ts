import { verifyEvidence } from '@oikos/core/economic'
import type { AdapterDisposition, EconomicAgentHost, PushSink } from '../src/economic/host.ts'
import { createEconomicAgent, type EconomicOutcome } from '../src/economic/index.ts'
import { checkJournal } from '../src/journal/check.ts'
import { createMemoryJournal } from '../src/journal/memory.ts'
import { createRehearsalChain, createRehearsalHost, rehearsalPolicy, rehearsalSource } from '../src/rehearsal/index.ts'

const startMs = 1_700_000_000_000n
const dayMs = 86_400_000n
/** How far the journal's clock may be behind when it reads. */
const maxLagMs = 5000n
const maxRollingAtomic = 100n
const recipient = `0x${'11'.repeat(20)}`
const policy = rehearsalPolicy({
  recipients: [recipient],
  maxAmountAtomic: maxRollingAtomic,
  maxRolling24hAtomic: maxRollingAtomic,
})

/** An invariant does not hold. The seed alone plays the same schedule again. */
class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly seed: number

  constructor(seed: number, invariant: string, got: string) {
    super(`seed ${seed}: ${invariant}: got ${got}`)
    this.seed = seed
  }
}

/** What a schedule came to. */
export type SimulationReport = { readonly runs: number; readonly crashes: number; readonly statuses: readonly string[] }

/** Numbers from 0 to 2^32 - 1 that a seed fixes. Source: mulberry32, Tommy Ettinger, public domain. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** What happens to one call instead of succeeding. `lost`: the effect happens, its answer is lost. */
type Fault =
  | 'none'
  | 'not_started'
  | 'uncertain'
  | 'lost'
  | 'rejected'
  | 'throws'
  | 'garbage'
  | 'dies_before'
  | 'dies_after'
const FAULTS: readonly Fault[] = [
  ...(['not_started', 'uncertain', 'lost', 'rejected', 'throws', 'garbage', 'dies_before', 'dies_after'] as const),
]

/** One world: a journal and a chain that outlive processes, a clock that jumps, and everything that left a process. */
type World = {
  readonly pick: (below: number) => number
  readonly journal: ReturnType<typeof createMemoryJournal>
  readonly chain: ReturnType<typeof createRehearsalChain>
  readonly signatures: Map<string, number>
  readonly broadcasts: Map<string, number>
  nowMs: bigint
}

const amounts = [10n, 30n, 60n, 100n] as const

/** Plays one schedule: some processes, each with faults of its own, over a few payments. Throws SimulationError. */
export async function simulate(seed: number): Promise<SimulationReport> {
  const pick = numbers(seed)
  const clock = { nowMs: startMs }
  const world: World = {
    pick,
    journal: createMemoryJournal({ clockMs: () => clock.nowMs - BigInt(pick(8) === 0 ? pick(Number(maxLagMs)) : 0) }),
    chain: createRehearsalChain({ clockMs: () => clock.nowMs + 1n }),
    signatures: new Map(),
    broadcasts: new Map(),
    get nowMs() {
      return clock.nowMs
    },
    set nowMs(value) {
      clock.nowMs = value
    },
  }
  const payments = Array.from({ length: 1 + pick(3) }, (_, index) => ({
    idempotencyKey: `payment.${index}`,
    recipient,
    amountAtomic: amounts[pick(amounts.length)] ?? 10n,
    createdAtMs: startMs,
  }))
  const statuses: string[] = []
  let crashes = 0
  let runs = 0
  for (let step = 0; step < 2 + pick(5); step += 1) {
    const payment = payments[pick(payments.length)]
    if (payment === undefined) continue
    const width = pick(6) === 0 ? 2 : 1
    const outcomes = await Promise.all(Array.from({ length: width }, () => runProcess(world, payment)))
    for (const { outcome, calls } of outcomes) {
      runs += 1
      if (outcome === 'died') crashes += 1
      else statuses.push(judgeOutcome(seed, outcome, calls))
    }
    await judgeWorld(seed, world, payments)
    if (pick(4) === 0) world.nowMs += [1n, 60_000n, dayMs - 1n, dayMs][pick(4)] ?? 0n
  }
  return { runs, crashes, statuses }
}

async function runProcess(world: World, payment: Parameters<typeof rehearsalSource>[0]) {
  const { pick } = world
  const calls: string[] = []
  const cancellation = { aborted: false }
  let elapsedMs = 0n
  let die = (): void => {}
  const died = new Promise<'died'>((resolve) => {
    die = () => resolve('died')
  })
  const never = new Promise<never>(() => {})
  const faulty = async <Word extends string>(
    name: string,
    sink: PushSink,
    call: (sink: PushSink) => Promise<Word>,
  ): Promise<Word> => {
    calls.push(name)
    if (pick(60) === 0) cancellation.aborted = true
    if (pick(40) === 0) elapsedMs += BigInt(pick(700_000))
    const fault = pick(5) === 0 ? (FAULTS[pick(FAULTS.length)] ?? 'none') : 'none'
    const answer = (word: AdapterDisposition) => word as unknown as Word
    switch (fault) {
      case 'none':
        return call(sink)
      case 'not_started':
        return answer('definitely_not_started')
      case 'uncertain':
        return answer('failed_uncertain')
      case 'rejected':
        return answer('policy_rejected')
      case 'throws':
        throw new Error('a fault')
      case 'lost':
        await call(sink)
        return answer('failed_uncertain')
      case 'garbage':
        return call({ push: (bytes) => sink.push(bytes.subarray(pick(bytes.length + 1))) })
      case 'dies_before':
        die()
        return never
      case 'dies_after':
        await call(sink)
        die()
        return never
      default:
        return fault satisfies never
    }
  }
  const host = faultyHost(world, payment.idempotencyKey, () => elapsedMs, faulty)
  const agent = createEconomicAgent(policy, host, cancellation)
  const source = rehearsalSource(payment)
  const run = pick(3) === 0 ? agent.reconcile(payment.idempotencyKey, source) : agent.execute(source)
  return { outcome: await Promise.race([run, died]), calls }
}

type Faulty = <Word extends string>(
  name: string,
  sink: PushSink,
  call: (sink: PushSink) => Promise<Word>,
) => Promise<Word>

function faultyHost(world: World, key: string, elapsedMs: () => bigint, faulty: Faulty): EconomicAgentHost {
  const { journal, chain, signatures, broadcasts } = world
  const usual = createRehearsalHost({ journal, chain, elapsedMs })
  const { evm } = usual.rails
  const nothing: PushSink = { push: () => false }
  const count = (map: Map<string, number>): void => void map.set(key, (map.get(key) ?? 0) + 1)
  return {
    ...usual,
    journal: {
      load: (asked, sink) => faulty('load', sink, (through) => journal.load(asked, through)),
      compareAndSwap: (...swap) => faulty('cas', nothing, () => journal.compareAndSwap(...swap)),
    },
    rails: {
      ...usual.rails,
      evm: {
        snapshot: (intent, sink) => faulty('snapshot', sink, (through) => evm.snapshot(intent, through)),
        simulate: (plan, bytes, sink) => faulty('simulate', sink, (through) => evm.simulate(plan, bytes, through)),
        reconcile: (id, sink) => faulty('reconcile', sink, (through) => evm.reconcile(id, through)),
        broadcast: (signed, sink) =>
          faulty('broadcast', sink, (through) => {
            count(broadcasts)
            return evm.broadcast(signed, through)
          }),
      },
    },
    approver: {
      approve: (request, sink) => faulty('approve', sink, (through) => usual.approver.approve(request, through)),
    },
    custody: {
      sign: (request, sink) =>
        faulty('sign', sink, (through) => {
          count(signatures)
          return usual.custody.sign(request, through)
        }),
    },
  }
}

/** Invariant 10 for Evidence; and a call without a run has left nothing behind. */
function judgeOutcome(seed: number, outcome: EconomicOutcome, calls: readonly string[]): string {
  if (outcome.kind === 'diagnostics') {
    if (calls.some((call) => call !== 'load'))
      throw new SimulationError(seed, 'diagnostics after an effect', calls.join())
    return outcome.diagnostics[0].code
  }
  const { findings } = verifyEvidence(outcome.evidence.bytes)
  if (findings.length > 0)
    throw new SimulationError(seed, 'invariant 10, Evidence replays', JSON.stringify(findings[0]))
  return outcome.result.status
}

async function judgeWorld(
  seed: number,
  { journal, signatures, broadcasts, nowMs }: World,
  payments: readonly { readonly idempotencyKey: string }[],
): Promise<void> {
  let activeAtomic = 0n
  for (const { idempotencyKey: key } of payments) {
    const counts = [signatures.get(key) ?? 0, broadcasts.get(key) ?? 0]
    if (counts.some((count) => count > 1))
      throw new SimulationError(seed, 'invariant 8, one signature and one broadcast', `${key} ${counts}`)
    const held = await journal.getReservation(key)
    if (held !== undefined && held.admittedAtMs > nowMs - dayMs) activeAtomic += held.amountAtomic
    const versions = await journal.listVersions(key)
    const released =
      /"state":"(cancelled|failed|rejected)"/.test(versions.at(-1)?.document ?? '') && versions.length <= 4
    const expected = versions.length > 0 && !released
    if (expected !== (held !== undefined) && nowMs < startMs + dayMs - maxLagMs)
      throw new SimulationError(seed, 'a reservation is held from version 1 until it is released', `${key} ${held}`)
  }
  if (activeAtomic > maxRollingAtomic)
    throw new SimulationError(seed, 'invariant 9, the rolling window', `${activeAtomic} of ${maxRollingAtomic}`)
  const { findings } = await checkJournal(journal)
  if (findings.length > 0)
    throw new SimulationError(
      seed,
      'invariant 10, the journal',
      JSON.stringify(findings[0], (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
}

if (import.meta.main) {
  const [count = 100_000, first = 1] = process.argv.slice(2).map(Number)
  const statuses = new Map<string, number>()
  let runs = 0
  let crashes = 0
  for (let seed = first; seed < first + count; seed += 1) {
    const report = await simulate(seed)
    runs += report.runs
    crashes += report.crashes
    for (const status of report.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  console.log(
    `${count} schedules from seed ${first}: ${runs} processes, ${crashes} of them died, invariants 8, 9, 10 held`,
  )
  console.log(
    [...statuses]
      .sort((left, right) => right[1] - left[1])
      .map(([status, times]) => `${status} ${times}`)
      .join(', '),
  )
}
