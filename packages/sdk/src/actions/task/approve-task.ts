import type { Address } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link approveTask}. */
export type ApproveTaskParameters = TaskTarget &
  WriteParameters & {
    /** May move this token from then on; the zero address ends an approval. */
    operator: Address
  }

const write = defineTaskWrite({
  functionName: 'approve',
  event: 'Approval',
  args: ({ tokenId, operator }: ApproveTaskParameters) => [operator, tokenId],
})

/** Lets another address move one token. Source: ERC-721, approve. Simulates, then sends. */
export const approveTask = write.send

/** What {@link approveTask} would do, on the latest state; nothing is sent. */
export const simulateApproveTask = write.simulate

/** {@link approveTask}, then waits for the event Approval. */
export const approveTaskAndWait = write.sendAndWait
