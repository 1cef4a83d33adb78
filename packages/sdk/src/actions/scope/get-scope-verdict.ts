import type { ScopeVerdict } from '@oikos/core/scope-policy'
import type { Address, Client, Hex } from 'viem'
import { UnexpectedError } from '../../errors/chain-errors.ts'
import { readScope, type ScopeReadParameters } from './read-scope.ts'
import { scopeVerdictOf } from './scope-verdict.ts'

/** Parameters of {@link getScopeVerdict}. */
export type GetScopeVerdictParameters = ScopeReadParameters & {
  target: Address
  valueWei: bigint
  data: Hex
  /** The Agent's Accept Token. */
  acceptToken: Address
  /** How much of it the call transfers or may pull, in smallest units. */
  tokenOutAtomic: bigint
}

/**
 * What a Scope would answer to a call now: Allowed, or the first reason against it. A dry run; nothing is charged. What
 * the Agent refuses by construction is not judged here; see judgeAgentCall.
 */
export async function getScopeVerdict(client: Client, parameters: GetScopeVerdictParameters): Promise<ScopeVerdict> {
  const { agent, target, valueWei, data, acceptToken, tokenOutAtomic } = parameters
  const args = [agent, target, valueWei, data, acceptToken, tokenOutAtomic] as const
  const number = await readScope(client, parameters, 'verdict', args)
  const verdict = scopeVerdictOf(number)
  if (verdict === undefined)
    throw new UnexpectedError(`the Scope answers with verdict ${number}, which is not known here`)
  return verdict
}
