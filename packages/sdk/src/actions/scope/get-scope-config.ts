import type { Client, Hash } from 'viem'
import { readScope, type ScopeReadParameters } from './read-scope.ts'

/** What governs the boundary of an Agent. */
export type ScopeConfig = {
  /** Between a proposal and its effect. */
  readonly delaySec: number
  /** Rolling keccak256 over every change that took effect. */
  readonly revision: Hash
}

/** Parameters of {@link getScopeConfig}. */
export type GetScopeConfigParameters = ScopeReadParameters

/** The delay of changes, and the hash that names the history of the boundary. */
export async function getScopeConfig(client: Client, parameters: GetScopeConfigParameters): Promise<ScopeConfig> {
  const [delaySec, revision] = await readScope(client, parameters, 'configOf', [parameters.agent])
  return { delaySec, revision }
}
