import { readFileSync } from 'node:fs'

/** What something took, milliseconds: by the clock, of the processor, and in a queue for a processor that others had. */
export type Lap = { readonly clock: number; readonly processor: number; readonly queue: number }

/**
 * Where Linux says how long the main thread ran and how long it waited for a processor, nanoseconds. Source: the kernel's
 * documentation, sched-stats.
 */
const SCHEDULE = '/proc/self/schedstat'

/** The main thread's time of the processor and in the queue, milliseconds; zero where the system does not tell. */
function scheduled(): { readonly processor: number; readonly queue: number } {
  try {
    const [ran = 0, waited = 0] = readFileSync(SCHEDULE, 'utf8').split(' ').map(Number)
    return { processor: ran / 1e6, queue: waited / 1e6 }
  } catch {
    return { processor: 0, queue: 0 }
  }
}

/** Times one thing. A queue says that the machine was busy with something else, and that the clock tells of that, too. */
export async function timed(run: () => Promise<unknown>): Promise<Lap> {
  const before = scheduled()
  const started = performance.now()
  await run()
  const clock = performance.now() - started
  const after = scheduled()
  return { clock, processor: after.processor - before.processor, queue: after.queue - before.queue }
}

/** Two laps as one. */
export function sumOf(left: Lap, right: Lap): Lap {
  return {
    clock: left.clock + right.clock,
    processor: left.processor + right.processor,
    queue: left.queue + right.queue,
  }
}
