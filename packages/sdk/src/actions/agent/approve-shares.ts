import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link approveShares}. */
export type ApproveSharesParameters = AgentTarget &
  WriteParameters & {
    spender: Address
    /** Replaces the approval before; one share has 1e18. */
    sharesAtomic: bigint
  }

const write = defineAgentWrite({
  functionName: 'approve',
  event: 'Approval',
  args: ({ spender, sharesAtomic }: ApproveSharesParameters) => [spender, sharesAtomic],
})

/** Lets an account take up to an amount of the sender's shares. Simulates, then sends. */
export const approveShares = write.send

/** What {@link approveShares} would do, on the latest state; nothing is sent. */
export const simulateApproveShares = write.simulate

/** {@link approveShares}, then waits for the event Approval. */
export const approveSharesAndWait = write.sendAndWait
