import { type BuilderBudget, concatBytes, EconomicError, limitExceeded } from '@oikos/core/economic'
import type { Boundary } from './boundary.ts'
import type { PushSink } from './host.ts'

/** The engine's side of a sink. */
export type PushBuffer = {
  readonly sink: PushSink
  /** Ends the sink. Throws why the first piece was refused, if one was; otherwise returns everything pushed. */
  readonly takeBytes: () => Uint8Array
  /** Ends the sink and forgets what was pushed. */
  readonly discard: () => void
}

/**
 * A sticky sink: each piece must come before cancellation and deadline, fit under `maxBytes` together with the others,
 * and be paid from the builder budget. The first refusal is the last word. Source: notes, section 9.
 */
export function createPushBuffer(
  limit: { readonly field: string; readonly maxBytes: bigint },
  boundary: Boundary,
  budget: BuilderBudget,
): PushBuffer {
  const pieces: Uint8Array[] = []
  let length = 0n
  let refusal: EconomicError | undefined
  let open = true

  const admit = (bytes: Uint8Array): void => {
    boundary.check()
    const total = length + BigInt(bytes.length)
    if (total > limit.maxBytes) throw limitExceeded(limit.field, limit.maxBytes)
    budget.charge(BigInt(bytes.length))
    length = total
    // Not slice(): that of a Node.js Buffer shares its memory.
    pieces.push(new Uint8Array(bytes))
  }

  return {
    sink: {
      push: (bytes) => {
        if (!open || refusal !== undefined || !(bytes instanceof Uint8Array)) return false
        try {
          admit(bytes)
          return true
        } catch (cause) {
          if (!(cause instanceof EconomicError)) throw cause
          refusal = cause
          return false
        }
      },
    },
    takeBytes: () => {
      open = false
      if (refusal !== undefined) throw refusal
      return concatBytes(...pieces)
    },
    discard: () => {
      open = false
      pieces.length = 0
    },
  }
}
