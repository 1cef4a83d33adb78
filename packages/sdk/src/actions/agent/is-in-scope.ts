import type { Address, Client, Hex } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link isInScope}. */
export type IsInScopeParameters = AgentReadParameters & {
  target: Address
  valueWei: bigint
  data: Hex
}

/** Whether execute would dispatch this call now; false while paused. Source: ERC-8406, section 6.6.7. */
export function isInScope(client: Client, parameters: IsInScopeParameters): Promise<boolean> {
  return readAgent(client, parameters, 'isInScope', [parameters.target, parameters.valueWei, parameters.data])
}
