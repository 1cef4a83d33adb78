import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Bounds in the code of an Agent. */
export type AgentBounds = {
  /** Most members of a batch. */
  readonly maxBatch: bigint
  /** Highest fee, in basis points. */
  readonly maxFeeBps: bigint
  /** Most bytes that a call of execute may return. */
  readonly maxReturnBytes: bigint
  /** Share units at the initial rate that belong to nobody and count in every price. */
  readonly virtualSharesAtomic: bigint
}

/** Parameters of {@link getAgentBounds}. */
export type GetAgentBoundsParameters = AgentReadParameters

/** The numbers that the code of the Agent holds for ever. */
export async function getAgentBounds(client: Client, parameters: GetAgentBoundsParameters): Promise<AgentBounds> {
  const [maxBatch, maxFeeBps, maxReturnBytes, virtualSharesAtomic] = await Promise.all([
    readAgent(client, parameters, 'MAX_BATCH', []),
    readAgent(client, parameters, 'MAX_FEE_BPS', []),
    readAgent(client, parameters, 'MAX_RETURN_BYTES', []),
    readAgent(client, parameters, 'VIRTUAL_SHARES', []),
  ])
  return { maxBatch, maxFeeBps, maxReturnBytes, virtualSharesAtomic }
}
