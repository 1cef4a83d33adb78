import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getAgentGuardian}. */
export type GetAgentGuardianParameters = AgentReadParameters

/** Who may brake beside the Owner; the zero address for nobody. */
export function getAgentGuardian(client: Client, parameters: GetAgentGuardianParameters): Promise<Address> {
  return readAgent(client, parameters, 'guardian', [])
}
