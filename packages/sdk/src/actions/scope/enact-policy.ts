import type { Policy } from '@oikos/core/scope-policy'
import type { WriteParameters } from '../target.ts'
import { defineScopeWrite } from './define-scope-write.ts'
import type { ScopeTarget } from './target.ts'

/** Parameters of {@link enactPolicy}. */
export type EnactPolicyParameters = ScopeTarget &
  WriteParameters & {
    /** One document; `delaySec` is KEEP_DELAY of core to keep what is set. */
    policy: Policy
  }

const write = defineScopeWrite({
  functionName: 'enact',
  event: 'PolicyApplied',
  args: ({ agent, policy }: EnactPolicyParameters) => [agent, policy],
})

/** Puts a proposed change into effect after its delay, as the Owner. Simulates, then sends. */
export const enactPolicy = write.send

/** What {@link enactPolicy} would do, on the latest state; nothing is sent. */
export const simulateEnactPolicy = write.simulate

/** {@link enactPolicy}, then waits for the event PolicyApplied. */
export const enactPolicyAndWait = write.sendAndWait
