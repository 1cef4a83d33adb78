import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getAgentOwner}. */
export type GetAgentOwnerParameters = AgentReadParameters

/** The Owner; the zero address after renouncing. */
export function getAgentOwner(client: Client, parameters: GetAgentOwnerParameters): Promise<Address> {
  return readAgent(client, parameters, 'owner', [])
}
