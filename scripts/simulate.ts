import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { simulate } from '../packages/runtime/test/simulation.ts'

/** `packages/runtime/test/simulation.ts` says what is judged. Each schedule is forgotten before the next: memory does not grow. */
const help = `Explores seeded schedules of the payment engine: faulty rails, a faulty journal, crashes, late effects, clocks that
step back. Ends with 1 at the first invariant that does not hold, and prints its seed.

  npm run simulate                      100,000 schedules
  npm run simulate -- --count 1000      so many
  npm run simulate -- --first 500       from this seed on (default 1)
  npm run simulate -- --workers 2       on so many threads (default: processors, at most 4)
  npm run simulate -- --seed 7          plays one schedule and tells its story`

const { values } = readOptions()

function readOptions() {
  try {
    return parseArgs({
      options: {
        count: { type: 'string', default: '100000' },
        first: { type: 'string', default: '1' },
        seed: { type: 'string' },
        workers: { type: 'string', default: String(Math.min(4, availableParallelism())) },
        help: { type: 'boolean', short: 'h' },
      },
      ...(isMainThread ? {} : { args: [] }),
    })
  } catch (cause) {
    // An option that is not known, or one without its value: the words of Node.js say which.
    console.error(`${cause instanceof Error ? cause.message : String(cause)}\n\n${help}`)
    process.exit(2)
  }
}

/** Largest seed: the generator takes 32 bits. */
const MAX_SEED = 2 ** 32 - 1
/** Schedules between two reports of a worker. */
const REPORT_EVERY = 100
/** Time between two lines of progress, milliseconds. */
const PROGRESS_MS = 5000

function whole(name: string, text: string, max: number): number {
  const value = Number(text)
  if (/^[0-9]+$/.test(text) && value >= 1 && value <= max) return value
  console.error(`--${name}: got ${JSON.stringify(text)}, expected a whole number from 1 to ${max}`)
  process.exit(2)
}

/** What some schedules came to. */
type Tally = { schedules: number; runs: number; crashes: number; statuses: Map<string, number> }
const emptyTally = (): Tally => ({ schedules: 0, runs: 0, crashes: 0, statuses: new Map() })

function add(total: Tally, part: Tally): void {
  total.schedules += part.schedules
  total.runs += part.runs
  total.crashes += part.crashes
  for (const [status, times] of part.statuses) total.statuses.set(status, (total.statuses.get(status) ?? 0) + times)
}

type Share = { readonly first: number; readonly last: number; readonly step: number }

async function work({ first, last, step }: Share, report: (tally: Tally) => void): Promise<void> {
  let tally = emptyTally()
  for (let seed = first; seed <= last; seed += step) {
    const { runs, crashes, statuses } = await simulate(seed)
    add(tally, { schedules: 1, runs, crashes, statuses: new Map() })
    for (const status of statuses) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
    if (tally.schedules < REPORT_EVERY) continue
    report(tally)
    tally = emptyTally()
  }
  report(tally)
}

async function replay(seed: number): Promise<void> {
  try {
    const { runs, crashes } = await simulate(seed, console.log)
    console.log(`seed ${seed}: ${runs} processes, ${crashes} of them died, invariants 8, 9 and 10 held`)
  } catch (cause) {
    console.error(cause)
    process.exitCode = 1
  }
}

async function explore(): Promise<void> {
  const first = whole('first', values.first, MAX_SEED)
  const count = whole('count', values.count, MAX_SEED)
  const workers = whole('workers', values.workers, 64)
  const last = Math.min(first + count - 1, MAX_SEED)
  const total = emptyTally()
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  let saidMs = started
  const hear = (tally: Tally): void => {
    add(total, tally)
    if (performance.now() - saidMs < PROGRESS_MS) return
    saidMs = performance.now()
    const memory = Math.round(process.memoryUsage.rss() / 2 ** 20)
    console.error(
      `${total.schedules} of ${last - first + 1} schedules, ${total.runs} processes, ${seconds()} s, ${memory} MiB`,
    )
  }
  const threads = Array.from({ length: workers }, (_, index) => {
    const share: Share = { first: first + index, last, step: workers }
    return new Worker(new URL(import.meta.url), { workerData: share })
  })
  const ended = threads.map(
    (thread) =>
      new Promise<void>((resolve, reject) => {
        thread.on('message', hear)
        thread.once('error', reject)
        thread.once('exit', () => resolve())
      }),
  )
  try {
    await Promise.all(ended)
  } catch (cause) {
    await Promise.all(threads.map((thread) => thread.terminate()))
    const failure = cause instanceof Error ? cause.message : String(cause)
    console.error(failure)
    const seed = /^seed ([0-9]+):/.exec(failure)?.[1]
    if (seed !== undefined) console.error(`Play it again: npm run simulate -- --seed ${seed}`)
    process.exitCode = 1
    return
  }
  console.log(
    `${total.schedules} schedules from seed ${first} in ${seconds()} s: ${total.runs} processes, ${total.crashes} of them died, invariants 8, 9 and 10 held`,
  )
  const statuses = [...total.statuses].sort((left, right) => right[1] - left[1])
  console.log(statuses.map(([status, times]) => `${status} ${times}`).join(', '))
}

if (!isMainThread) await work(workerData as Share, (tally) => parentPort?.postMessage(tally))
else if (values.help === true) console.log(help)
else if (values.seed !== undefined) await replay(whole('seed', values.seed, MAX_SEED))
else await explore()
