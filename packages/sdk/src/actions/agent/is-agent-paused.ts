import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link isAgentPaused}. */
export type IsAgentPausedParameters = AgentReadParameters

/** Whether deposits, settlement and execution are stopped. */
export function isAgentPaused(client: Client, parameters: IsAgentPausedParameters): Promise<boolean> {
  return readAgent(client, parameters, 'isPaused', [])
}
