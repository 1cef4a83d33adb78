import type { Address, Client } from 'viem'
import { readScope, type ScopeContractReadParameters } from './read-scope.ts'

/** Bounds in the code of a Scope. */
export type ScopeBounds = {
  readonly factory: Address
  /** How long a proposal that is ready waits before it lapses. */
  readonly graceSec: bigint
  readonly maxDelaySec: number
  readonly maxRules: bigint
  /** Most conditions of one rule. */
  readonly maxConditions: bigint
  /** Most rules, caps and members of one change together. */
  readonly maxChangeItems: bigint
}

/** Parameters of {@link getScopeBounds}. */
export type GetScopeBoundsParameters = ScopeContractReadParameters

/** The numbers that the code of a Scope holds for ever, and the factory it serves. */
export async function getScopeBounds(client: Client, parameters: GetScopeBoundsParameters): Promise<ScopeBounds> {
  const [factory, graceSec, maxDelaySec, maxRules, maxConditions, maxChangeItems] = await Promise.all([
    readScope(client, parameters, 'FACTORY', []),
    readScope(client, parameters, 'GRACE_SEC', []),
    readScope(client, parameters, 'MAX_DELAY_SEC', []),
    readScope(client, parameters, 'MAX_RULES', []),
    readScope(client, parameters, 'MAX_CONDITIONS', []),
    readScope(client, parameters, 'MAX_CHANGE_ITEMS', []),
  ])
  return { factory, graceSec, maxDelaySec, maxRules, maxConditions, maxChangeItems }
}
