import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getReclaimHorizon}. */
export type GetReclaimHorizonParameters = AgentReadParameters

/** Seconds after the most recent request after which what is pending can be reclaimed. */
export function getReclaimHorizon(client: Client, parameters: GetReclaimHorizonParameters): Promise<bigint> {
  return readAgent(client, parameters, 'reclaimHorizon', [])
}
