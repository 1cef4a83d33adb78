import type { Client, Hash } from 'viem'
import { readScope, type ScopeReadParameters } from './read-scope.ts'

/** Parameters of {@link getRuleKeys}. */
export type GetRuleKeysParameters = ScopeReadParameters

/** Keys of all rules of an Agent, at most 64, in no particular order. */
export function getRuleKeys(client: Client, parameters: GetRuleKeysParameters): Promise<readonly Hash[]> {
  return readScope(client, parameters, 'ruleKeys', [parameters.agent])
}
