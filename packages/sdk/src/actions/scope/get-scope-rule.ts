import { readScopeRule, type ScopeRule } from '@oikos/core/scope-policy'
import type { Client, Hash } from 'viem'
import { readScope, type ScopeReadParameters } from './read-scope.ts'

/** Parameters of {@link getScopeRule}. */
export type GetScopeRuleParameters = ScopeReadParameters & {
  /** See ruleKeyOf of core. */
  key: Hash
}

/** One rule of an Agent with the bucket of its calls, or undefined when there is none under the key. */
export async function getScopeRule(client: Client, parameters: GetScopeRuleParameters): Promise<ScopeRule | undefined> {
  const { agent, key } = parameters
  const [[state, conditions], [bucket]] = await Promise.all([
    readScope(client, parameters, 'ruleOf', [agent, key]),
    readScope(client, parameters, 'bucketOf', [agent, key]),
  ])
  return state.enabled ? readScopeRule({ key, state, conditions, bucket }) : undefined
}
