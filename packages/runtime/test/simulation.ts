import { createEconomicAgent } from '../src/economic/index.ts'
import { createMemoryJournal } from '../src/journal/memory.ts'
import { createRehearsalChain, rehearsalPolicy, rehearsalSource } from '../src/rehearsal/index.ts'
import { createFaults, type FaultyProcess, faultyHost } from './simulation-faults.ts'
import { judgeOutcome, judgeReached, judgeWorld, type World } from './simulation-judge.ts'

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
const amounts = [10n, 30n, 60n, 100n] as const

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

type Payment = Parameters<typeof rehearsalSource>[0]

/**
 * Plays one schedule: some processes over a few payments, each with faults and crashes of its own, on one journal and one
 * chain that outlive them, under a clock that jumps and steps back; then each payment once more without faults. Invariants
 * 8, 9 and 10 are judged after each step. The seed alone fixes everything. `note` hears what happens, line by line. Throws
 * SimulationError.
 */
export async function simulate(seed: number, note: (line: string) => void = () => {}): Promise<SimulationReport> {
  const pick = numbers(seed)
  const clock = { nowMs: startMs, highestMs: 0n }
  const world: World = {
    seed,
    journal: createMemoryJournal({
      clockMs: () => {
        const readingMs = clock.nowMs - BigInt(pick(8) === 0 ? pick(Number(maxLagMs)) : 0)
        if (readingMs > clock.highestMs) clock.highestMs = readingMs
        return readingMs
      },
    }),
    chain: createRehearsalChain({ clockMs: () => clock.nowMs + 1n }),
    signatures: new Map(),
    broadcasts: new Map(),
    late: [],
    violations: [],
    admitted: new Map(),
    settledMs: 0n,
    maxRollingAtomic,
    isFirstDay: () => clock.nowMs < startMs + dayMs - maxLagMs,
    countsSinceMs: () => clock.nowMs - dayMs,
  }
  const payments: Payment[] = []
  const propose = (): Payment => {
    const amountAtomic = amounts[pick(amounts.length)] ?? 10n
    const idempotencyKey = `payment.${payments.length}`
    const payment = { idempotencyKey, recipient, amountAtomic, createdAtMs: clock.nowMs }
    payments.push(payment)
    return payment
  }
  const statuses: string[] = []
  let crashes = 0
  let runs = 0
  const judge = async ({ process, outcome, line }: Ended): Promise<void> => {
    runs += 1
    note(line)
    if (outcome === 'died') crashes += 1
    else statuses.push(await judgeOutcome(world, process, outcome))
  }
  for (let step = 0; step < 2 + pick(5); step += 1) {
    const payment = payments[pick(payments.length + 2)] ?? propose()
    const width = pick(6) === 0 ? 2 : 1
    world.settledMs = clock.highestMs
    const processes = Array.from({ length: width }, () => runProcess(world, payment, createFaults(pick, world.late)))
    for (const ended of await Promise.all(processes)) await judge(ended)
    await judgeWorld(world, payments)
    if (pick(4) === 0) {
      clock.nowMs += [1n, 60_000n, dayMs - 1n, dayMs][pick(4)] ?? 0n
      note(`clock ${clock.nowMs - startMs} ms`)
    }
  }
  // What dead processes had under way happens at last; afterwards every payment that reached the chain has an end.
  for (const effect of world.late.splice(0)) await effect()
  for (const payment of payments) {
    world.settledMs = clock.highestMs
    const ended = await runProcess(world, payment, createFaults(undefined, world.late))
    await judge(ended)
    if (ended.outcome !== 'died') await judgeReached(world, payment.idempotencyKey, ended.outcome)
    await judgeWorld(world, payments)
  }
  return { runs, crashes, statuses }
}

type Ended = {
  readonly process: FaultyProcess
  readonly outcome: Awaited<ReturnType<ReturnType<typeof createEconomicAgent>['execute']>> | 'died'
  readonly line: string
}

async function runProcess(world: World, payment: Payment, process: FaultyProcess): Promise<Ended> {
  const { idempotencyKey: key } = payment
  const agent = createEconomicAgent(policy, faultyHost(world, key, process), process.cancellation)
  const source = rehearsalSource(payment)
  const run = process.reconciles ? agent.reconcile(key, source) : agent.execute(source)
  const outcome = await Promise.race([run, process.died])
  const end = outcome === 'died' ? 'died' : outcome.kind === 'run' ? outcome.result.status : outcome.diagnostics[0].code
  return {
    process,
    outcome,
    line: `${process.reconciles ? 'reconcile' : 'execute'} ${key}: ${process.calls.join(' ')} -> ${end}`,
  }
}
