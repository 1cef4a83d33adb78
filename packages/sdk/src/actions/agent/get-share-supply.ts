import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getShareSupply}. */
export type GetShareSupplyParameters = AgentReadParameters

/** Shares that exist, in smallest units, escrowed ones included; settled and unclaimed ones are not. */
export function getShareSupply(client: Client, parameters: GetShareSupplyParameters): Promise<bigint> {
  return readAgent(client, parameters, 'totalSupply', [])
}
