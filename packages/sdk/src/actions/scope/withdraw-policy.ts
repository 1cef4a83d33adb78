import type { Hash } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineScopeWrite } from './define-scope-write.ts'
import type { ScopeTarget } from './target.ts'

/** Parameters of {@link withdrawPolicy}. */
export type WithdrawPolicyParameters = ScopeTarget &
  WriteParameters & {
    /** keccak256 of the encoded change, as PolicyProposed names it. */
    changeId: Hash
  }

const write = defineScopeWrite({
  functionName: 'withdraw',
  event: 'PolicyWithdrawn',
  args: ({ agent, changeId }: WithdrawPolicyParameters) => [agent, changeId],
})

/** Drops a proposal, as the Owner or the guardian. Simulates, then sends. */
export const withdrawPolicy = write.send

/** What {@link withdrawPolicy} would do, on the latest state; nothing is sent. */
export const simulateWithdrawPolicy = write.simulate

/** {@link withdrawPolicy}, then waits for the event PolicyWithdrawn. */
export const withdrawPolicyAndWait = write.sendAndWait
