import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getAgentSymbol}. */
export type GetAgentSymbolParameters = AgentReadParameters

/** Symbol of the shares; text of the creator, up to 16 bytes. getAssetMetadata gives it fit to be shown. */
export function getAgentSymbol(client: Client, parameters: GetAgentSymbolParameters): Promise<string> {
  return readAgent(client, parameters, 'symbol', [])
}
