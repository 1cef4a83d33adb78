import type { Bucket } from '@oikos/core/scope-policy'
import type { Client, Hash } from 'viem'
import { readScope, type ScopeReadParameters } from './read-scope.ts'

/** A cap as the contract keeps it, and what may leave now; in smallest units, or in calls. */
export type ScopeBucket = Bucket & { readonly available: bigint }

/** Parameters of {@link getScopeBucket}. */
export type GetScopeBucketParameters = ScopeReadParameters & {
  /** Of an asset (capKeyOf of core) or, for its calls, of a rule (ruleKeyOf). */
  key: Hash
}

/** One cap of an Agent, or undefined when none was ever set under the key. */
export async function getScopeBucket(
  client: Client,
  parameters: GetScopeBucketParameters,
): Promise<ScopeBucket | undefined> {
  const { agent, key } = parameters
  const [{ set, limit, periodSec, used, at, lifetimeLeft }, available] = await readScope(
    client,
    parameters,
    'bucketOf',
    [agent, key],
  )
  return set ? { limit, periodSec, used, at: BigInt(at), lifetimeLeft, available } : undefined
}
