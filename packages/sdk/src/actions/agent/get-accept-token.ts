import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getAcceptToken}. */
export type GetAcceptTokenParameters = AgentReadParameters

/** The one ERC-20 that the Agent takes for shares and pays out; it never changes. */
export function getAcceptToken(client: Client, parameters: GetAcceptTokenParameters): Promise<Address> {
  return readAgent(client, parameters, 'acceptToken', [])
}
