import { boundaryFailure } from '@oikos/core/economic'
import type { Cancellation, EconomicAgentHost } from './host.ts'

/** The time and the will of the caller, as far as the engine may know them. */
export type Boundary = {
  /** Throws SPX-I228 when cancelled, then SPX-I229 when more than `maxElapsedMs` has passed or the clock stepped back. */
  readonly check: () => void
  /** Milliseconds since the start. Throws SPX-I229 when the clock is below its first reading. */
  readonly elapsedMs: () => bigint
  /** As {@link Boundary.elapsedMs}, but a clock that stepped back or failed counts as `maxElapsedMs`. Never throws. */
  readonly settledElapsedMs: () => bigint
}

/** Takes the first reading. A probe that throws, or reads no integer from 0, counts as a clock that stepped back. */
export function startBoundary(host: EconomicAgentHost, cancellation: Cancellation, maxElapsedMs: bigint): Boundary {
  const read = (): bigint | undefined => {
    try {
      const reading: unknown = host.boundaryProbe().elapsedMs()
      return typeof reading === 'bigint' && reading >= 0n ? reading : undefined
    } catch {
      return undefined
    }
  }
  const startedMs = read()

  const measure = (): bigint | undefined => {
    const reading = read()
    return startedMs === undefined || reading === undefined || reading < startedMs ? undefined : reading - startedMs
  }
  const elapsedMs = (): bigint => {
    const elapsed = measure()
    if (elapsed === undefined) throw boundaryFailure('SPX-I229')
    return elapsed
  }
  return {
    check: () => {
      if (cancellation.aborted) throw boundaryFailure('SPX-I228')
      if (elapsedMs() > maxElapsedMs) throw boundaryFailure('SPX-I229')
    },
    elapsedMs,
    settledElapsedMs: () => measure() ?? maxElapsedMs,
  }
}

/** The later of two times, milliseconds. */
export function laterOf(leftMs: bigint, rightMs: bigint): bigint {
  return leftMs > rightMs ? leftMs : rightMs
}
