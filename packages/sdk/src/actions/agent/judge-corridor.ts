import type { AgentBooks } from './get-agent-books.ts'

/** Whether the rate of now may be settled at, as far as the corridor decides. */
export type CorridorJudgment = {
  readonly isInside: boolean
  /** Furthest that the rate may lie from the anchor now, in Accept Token smallest units per share. */
  readonly allowance: bigint
}

/** Idle time counts for this long at most. Source: Corridor.sol, MAX_ELAPSED_SEC. */
const MAX_ELAPSED_SEC = 7n * 86_400n
/** Basis points in one, times seconds in a day. Source: Corridor.sol, DIVISOR. */
const DIVISOR = 10_000n * 86_400n

/**
 * Whether a settlement at the rate of the books would go through the corridor, or stop settlement and settle nothing.
 * Undefined where there is no corridor or no rate. Twin of Corridor.sol and of AgentSettlement.sol, _followRate; time that
 * passes until the transaction only widens it.
 */
export function judgeCorridor({
  rate,
  guard,
  blockTimestampSec,
  isFixedPrice,
}: AgentBooks): CorridorJudgment | undefined {
  const { corridorBpsPerDay, anchorRate, anchoredAtSec } = guard
  if (corridorBpsPerDay === 0 || rate === undefined || isFixedPrice) return undefined
  const idleSec = blockTimestampSec - anchoredAtSec
  const elapsedSec = idleSec > MAX_ELAPSED_SEC ? MAX_ELAPSED_SEC : idleSec
  // one unit is always allowed, so that a rate of few units can move at all
  const allowance = (anchorRate * BigInt(corridorBpsPerDay) * elapsedSec) / DIVISOR + 1n
  const move = rate > anchorRate ? rate - anchorRate : anchorRate - rate
  return { isInside: move <= allowance, allowance }
}
