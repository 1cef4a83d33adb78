import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getShareToken}. */
export type GetShareTokenParameters = AgentReadParameters

/** The ERC-20 of the shares; for our Agents the Agent itself. */
export function getShareToken(client: Client, parameters: GetShareTokenParameters): Promise<Address> {
  return readAgent(client, parameters, 'shareToken', [])
}
