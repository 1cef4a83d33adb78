import type { Client, Hash } from 'viem'
import { readScope, type ScopeReadParameters } from './read-scope.ts'

/** Parameters of {@link getPolicyReadyAt}. */
export type GetPolicyReadyAtParameters = ScopeReadParameters & {
  changeId: Hash
}

/** Second from which a proposed change can be enacted; 0 when it is not proposed. */
export function getPolicyReadyAt(client: Client, parameters: GetPolicyReadyAtParameters): Promise<bigint> {
  return readScope(client, parameters, 'readyAt', [parameters.agent, parameters.changeId])
}
