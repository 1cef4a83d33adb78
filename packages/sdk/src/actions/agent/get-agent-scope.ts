import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getAgentScope}. */
export type GetAgentScopeParameters = AgentReadParameters

/** The contract that bounds the Agent, as it says itself. */
export function getAgentScope(client: Client, parameters: GetAgentScopeParameters): Promise<Address> {
  return readAgent(client, parameters, 'SCOPE', [])
}
