import type { Client } from 'viem'
import { readScope, type ScopeReadParameters } from './read-scope.ts'

/** Parameters of {@link isScopeMember}. */
export type IsScopeMemberParameters = ScopeReadParameters & {
  /** Number of the set. */
  set: bigint
  /** The word; an address as a number. */
  member: bigint
}

/** Whether a word is in a set of an Agent. */
export function isScopeMember(client: Client, parameters: IsScopeMemberParameters): Promise<boolean> {
  const { agent, set, member } = parameters
  return readScope(client, parameters, 'isMember', [agent, set, member])
}
