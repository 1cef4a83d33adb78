import type { Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link getExchangeRate}. */
export type GetExchangeRateParameters = AgentReadParameters

/**
 * Accept Token smallest units per share (per 1e18 share units), rounded down. Reverts with ValuationUnreadable while a
 * valuation gives no answer. Source: ERC-8406, section 6.
 */
export function getExchangeRate(client: Client, parameters: GetExchangeRateParameters): Promise<bigint> {
  return readAgent(client, parameters, 'exchangeRate', [])
}
