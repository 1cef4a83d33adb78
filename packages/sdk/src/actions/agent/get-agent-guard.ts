import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** What holds the price of settlements back. */
export type AgentGuard = {
  /** Most that the rate of a settlement may move, in basis points a day; 0 for no corridor. */
  readonly corridorBpsPerDay: number
  /** Least age of a request when it is settled. */
  readonly minRequestAgeSec: number
  /** Whether settlement waits for confirmRate. */
  readonly isHalted: boolean
  /** Rate from which the corridor is measured, in Accept Token smallest units per share, and since when. */
  readonly anchorRate: bigint
  readonly anchoredAtSec: bigint
}

/** Parameters of {@link getAgentGuard}. */
export type GetAgentGuardParameters = AgentReadParameters

/** The guards on the settlement price. */
export async function getAgentGuard(client: Client, parameters: GetAgentGuardParameters): Promise<AgentGuard> {
  const guard = await readAgent(client, parameters, 'guardOf', [])
  const [corridorBpsPerDay, minRequestAgeSec, isHalted, anchorRate, anchoredAtSec] = guard
  return { corridorBpsPerDay, minRequestAgeSec, isHalted, anchorRate, anchoredAtSec }
}
