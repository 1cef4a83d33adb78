import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getAgentName}. */
export type GetAgentNameParameters = AgentReadParameters

/** Name of the Agent and of its shares; text of its creator, up to 64 bytes. */
export function getAgentName(client: Client, parameters: GetAgentNameParameters): Promise<string> {
  return readAgent(client, parameters, 'name', [])
}
