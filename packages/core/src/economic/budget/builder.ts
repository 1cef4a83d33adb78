import type { Meter } from '../canonical.ts'
import { limitExceeded } from '../diagnostics.ts'
import type { Limits } from '../limits.ts'

/**
 * The one decreasing counter of memory that a run may build, in bytes. It is never given back. Source: Economic Agent v1,
 * "one decreasing 64 MiB builder budget"; notes, section 13.
 */
export type BuilderBudget = Meter & {
  /** Bytes that were taken so far. */
  readonly used: () => bigint
  /** From now on, room for Trace and Evidence must stay free. */
  readonly raiseFloor: () => void
  /** Trace and Evidence are being written: their room may be used. */
  readonly releaseFloor: () => void
  /** Throws SPX-G216 unless an adapter that may answer with `maxOutput` bytes could be served. Takes nothing. */
  readonly requireLane: (maxOutput: bigint) => void
}

/** Room that is kept for the finished documents beside Trace and two copies of Evidence. */
const FLOOR_BYTES = 4096n

/** The budget of one `execute` or `reconcile` call. */
export function createBuilderBudget(limits: Limits): BuilderBudget {
  const maximum = limits.max_builder_bytes
  const floorBytes = limits.max_trace_bytes + 2n * limits.max_evidence_bytes + FLOOR_BYTES
  let remaining = maximum
  let floor = 0n
  const demand = (bytes: bigint) => {
    if (remaining < bytes + floor) throw limitExceeded('builder_bytes', maximum)
  }
  return {
    charge: (bytes) => {
      demand(bytes)
      remaining -= bytes
    },
    used: () => maximum - remaining,
    raiseFloor: () => {
      floor = floorBytes
    },
    releaseFloor: () => {
      floor = 0n
    },
    requireLane: (maxOutput) => demand(maxOutput * laneFactor(maxOutput, limits)),
  }
}

/** How many times its length a document of an adapter takes. Compared by value, as the reference does. */
function laneFactor(maxOutput: bigint, limits: Limits): bigint {
  if (maxOutput === limits.max_journal_bytes) return 2n
  if (maxOutput === limits.max_signed_transaction_bytes) return 3n
  return limits.max_json_depth + 3n
}
