import { detectIsolation } from './detect-isolation.ts'
import { IsolationError } from './errors.ts'
import { ISOLATION_LEVELS, type Isolation, type IsolationLevel } from './isolation.ts'
import { runWorker } from './run-worker.ts'
import type { Worker, Workshop } from './worker.ts'

/** How a workshop is set up. */
export type WorkshopOptions = {
  readonly workers: readonly Worker[]
  /** The least isolation with which it opens. Default `permissions`. */
  readonly demand?: IsolationLevel
  readonly signal?: AbortSignal
}

/** A workshop that says how far its workers are kept apart. */
export type IsolatedWorkshop = Workshop & { readonly isolation: Isolation }

/**
 * Opens a workshop: finds out how far workers can be kept apart on this machine, which takes some tenths of a second.
 * @throws IsolationError when that is less than demanded
 */
export async function createWorkshop(options: WorkshopOptions): Promise<IsolatedWorkshop> {
  const { workers, demand = 'permissions', signal = new AbortController().signal } = options
  const isolation = await detectIsolation(signal)
  if (isolation === undefined || strength(isolation.level) < strength(demand))
    throw new IsolationError(isolation, demand, signal.reason)
  return {
    workers,
    isolation,
    run: (worker, order, limits, cancelled) => runWorker(worker, order, limits, isolation, cancelled),
  }
}

function strength(level: IsolationLevel): number {
  return ISOLATION_LEVELS.indexOf(level)
}
