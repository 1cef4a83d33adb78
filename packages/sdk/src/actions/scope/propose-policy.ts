import type { Policy } from '@oikos/core/scope-policy'
import type { WriteParameters } from '../target.ts'
import { defineScopeWrite } from './define-scope-write.ts'
import type { ScopeTarget } from './target.ts'

/** Parameters of {@link proposePolicy}. */
export type ProposePolicyParameters = ScopeTarget &
  WriteParameters & {
    /** One document; `delaySec` is KEEP_DELAY of core to keep what is set. */
    policy: Policy
  }

const write = defineScopeWrite({
  functionName: 'propose',
  event: 'PolicyProposed',
  args: ({ agent, policy }: ProposePolicyParameters) => [agent, policy],
})

/**
 * Announces a change of the boundary, as the Owner; it can be enacted after the delay and lapses 14 days later.
 * Simulates, then sends.
 */
export const proposePolicy = write.send

/** What {@link proposePolicy} would do, on the latest state; nothing is sent. `result` is the id of the change. */
export const simulateProposePolicy = write.simulate

/** {@link proposePolicy}, then waits for the event PolicyProposed. */
export const proposePolicyAndWait = write.sendAndWait
