import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getAgentFactory}. */
export type GetAgentFactoryParameters = AgentReadParameters

/** The factory that the Agent was born in, as it says itself. */
export function getAgentFactory(client: Client, parameters: GetAgentFactoryParameters): Promise<Address> {
  return readAgent(client, parameters, 'FACTORY', [])
}
