import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getShareAllowance}. */
export type GetShareAllowanceParameters = AgentReadParameters & {
  holder: Address
  spender: Address
}

/** Shares that a spender may still take, in smallest units. */
export function getShareAllowance(client: Client, parameters: GetShareAllowanceParameters): Promise<bigint> {
  return readAgent(client, parameters, 'allowance', [parameters.holder, parameters.spender])
}
