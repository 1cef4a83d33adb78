/** Bytes that answers may hold at the same time. */
export type MemoryBudget = {
  /** Takes bytes; false when they are not left. What is larger than the whole budget is given alone. */
  readonly take: (bytes: number) => boolean
  readonly give: (bytes: number) => void
}

/** A budget with nothing taken. */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let taken = 0
  return {
    take: (bytes) => {
      if (taken > 0 && taken + bytes > maxBytes) return false
      taken += bytes
      return true
    },
    give: (bytes) => {
      taken -= bytes
    },
  }
}
