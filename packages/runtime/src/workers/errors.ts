import type { Isolation, IsolationLevel } from './isolation.ts'

/** A workshop cannot open: this machine keeps workers less apart than was demanded. Not retryable. */
export class IsolationError extends Error {
  override readonly name = 'IsolationError'
  readonly retryable = false
  readonly found: Isolation | undefined
  readonly demanded: IsolationLevel

  constructor(found: Isolation | undefined, demanded: IsolationLevel, cause?: unknown) {
    super(
      `workers are kept apart by ${found?.level ?? 'nothing that works'} here, and ${demanded} was demanded: see docs/workers.md for what it needs`,
      cause === undefined ? undefined : { cause },
    )
    this.found = found
    this.demanded = demanded
  }
}
