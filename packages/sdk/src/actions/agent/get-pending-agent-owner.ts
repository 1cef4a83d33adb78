import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getPendingAgentOwner}. */
export type GetPendingAgentOwnerParameters = AgentReadParameters

/** To whom the ownership is offered; the zero address for nobody. */
export function getPendingAgentOwner(client: Client, parameters: GetPendingAgentOwnerParameters): Promise<Address> {
  return readAgent(client, parameters, 'pendingOwner', [])
}
