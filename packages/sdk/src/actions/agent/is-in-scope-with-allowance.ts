import type { Address, Client, Hex } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link isInScopeWithAllowance}. */
export type IsInScopeWithAllowanceParameters = AgentReadParameters & {
  target: Address
  valueWei: bigint
  data: Hex
  /** Smallest units of the Accept Token. */
  allowanceAtomic: bigint
}

/** Whether executeWithAllowance would dispatch this call now; false while paused. */
export function isInScopeWithAllowance(client: Client, parameters: IsInScopeWithAllowanceParameters): Promise<boolean> {
  return readAgent(client, parameters, 'isInScopeWithAllowance', [
    parameters.target,
    parameters.valueWei,
    parameters.data,
    parameters.allowanceAtomic,
  ])
}
