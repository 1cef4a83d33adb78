import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'
import { type RequestKind, requestKindNumber } from './request-kind.ts'

/**
 * One side of an account. Of a mint, what goes in is Accept Token and what comes out shares; of a redeem the reverse.
 */
export type AgentPosition = {
  readonly kind: RequestKind
  /** Went in and is not settled, in smallest units. */
  readonly pendingAtomic: bigint
  /** Time of the most recent request, in unix seconds; 0 without one that is pending. */
  readonly requestedAtSec: bigint
  /** Worst rate at which the pending part is settled, in Accept Token smallest units per share; 0 for any. */
  readonly limitRate: bigint
  /** From when on the pending part can be reclaimed, in unix seconds; 0 when nothing is pending. */
  readonly reclaimableAtSec: bigint
  /** Settled and not claimed, in smallest units of what comes out. */
  readonly claimableAtomic: bigint
  /** What the settlements behind the claimable part used up, in smallest units of what goes in. */
  readonly consumedAtomic: bigint
  /** Block of the most recent of these settlements; 0 without one. */
  readonly epoch: bigint
}

/** Parameters of {@link getAgentPosition}. */
export type GetAgentPositionParameters = AgentReadParameters & {
  user: Address
  kind: RequestKind
}

/** Everything that an account has on one side, with its limit and clocks. */
export async function getAgentPosition(client: Client, parameters: GetAgentPositionParameters): Promise<AgentPosition> {
  const { user, kind } = parameters
  const [position, limitRate, reclaimableAtSec] = await readAgent(client, parameters, 'positionOf', [
    user,
    requestKindNumber(kind),
  ])
  const { pending, requestedAt, claimable, consumed, epoch } = position
  return {
    ...{ kind, pendingAtomic: pending, requestedAtSec: requestedAt, limitRate, reclaimableAtSec },
    ...{ claimableAtomic: claimable, consumedAtomic: consumed, epoch },
  }
}
