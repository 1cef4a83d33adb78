import type { Hash } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineScopeWrite } from './define-scope-write.ts'
import type { ScopeTarget } from './target.ts'

/** Parameters of {@link lowerCap}. */
export type LowerCapParameters = ScopeTarget &
  WriteParameters & {
    /** Of an asset (capKeyOf of core) or, for its calls, of a rule (ruleKeyOf). */
    key: Hash
    /** What may leave at once. */
    limitAtomic: bigint
    /** What may ever leave from now on; 2^256 - 1 where there is no such bound. */
    lifetimeLeftAtomic: bigint
  }

const write = defineScopeWrite({
  functionName: 'lowerCap',
  event: 'CapLowered',
  args: ({ agent, key, limitAtomic, lifetimeLeftAtomic }: LowerCapParameters) => [
    agent,
    key,
    limitAtomic,
    lifetimeLeftAtomic,
  ],
})

/** Lowers a cap, its lifetime or both, as the Owner or the guardian; neither may rise. Simulates, then sends. */
export const lowerCap = write.send

/** What {@link lowerCap} would do, on the latest state; nothing is sent. */
export const simulateLowerCap = write.simulate

/** {@link lowerCap}, then waits for the event CapLowered. */
export const lowerCapAndWait = write.sendAndWait
