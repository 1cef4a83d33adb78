import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getAgentURI}. */
export type GetAgentURIParameters = AgentReadParameters

/** Where the metadata is said to be; text of the Owner, not verified. */
export function getAgentURI(client: Client, parameters: GetAgentURIParameters): Promise<string> {
  return readAgent(client, parameters, 'agentURI', [])
}
