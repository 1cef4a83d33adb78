import type { Client, Hash } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getShareDomainSeparator}. */
export type GetShareDomainSeparatorParameters = AgentReadParameters

/** Domain of permits of the shares. Source: ERC-2612, EIP-712. */
export function getShareDomainSeparator(client: Client, parameters: GetShareDomainSeparatorParameters): Promise<Hash> {
  return readAgent(client, parameters, 'DOMAIN_SEPARATOR', [])
}
