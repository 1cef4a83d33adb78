import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getValuations}. */
export type GetValuationsParameters = AgentReadParameters

/** The contracts that value what the Agent owns elsewhere, at most 8. */
export function getValuations(client: Client, parameters: GetValuationsParameters): Promise<readonly Address[]> {
  return readAgent(client, parameters, 'valuations', [])
}
