import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getShareDecimals}. */
export type GetShareDecimalsParameters = AgentReadParameters

/** Decimals of the shares; for our Agents always 18. */
export function getShareDecimals(client: Client, parameters: GetShareDecimalsParameters): Promise<number> {
  return readAgent(client, parameters, 'decimals', [])
}
