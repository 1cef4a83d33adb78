import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getShareBalance}. */
export type GetShareBalanceParameters = AgentReadParameters & {
  account: Address
}

/** Shares of an account in smallest units; of the Agent itself, the escrow of pending redemptions. */
export function getShareBalance(client: Client, parameters: GetShareBalanceParameters): Promise<bigint> {
  return readAgent(client, parameters, 'balanceOf', [parameters.account])
}
