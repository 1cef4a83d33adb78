import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getShareNonce}. */
export type GetShareNonceParameters = AgentReadParameters & {
  holder: Address
}

/** Number of the next permit of a holder. Source: ERC-2612. */
export function getShareNonce(client: Client, parameters: GetShareNonceParameters): Promise<bigint> {
  return readAgent(client, parameters, 'nonces', [parameters.holder])
}
