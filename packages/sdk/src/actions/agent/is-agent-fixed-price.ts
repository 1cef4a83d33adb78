import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link isAgentFixedPrice}. */
export type IsAgentFixedPriceParameters = AgentReadParameters

/** Whether the rate is the initial one for ever. */
export function isAgentFixedPrice(client: Client, parameters: IsAgentFixedPriceParameters): Promise<boolean> {
  return readAgent(client, parameters, 'isFixedPrice', [])
}
