import type { Address, Hex } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link safeTransferTask}. */
export type SafeTransferTaskParameters = TaskTarget &
  WriteParameters & {
    /** The current owner. */
    from: Address
    /** The next owner; a contract must accept ERC-721 tokens. */
    to: Address
    /** Passed to a receiving contract. Default: none. */
    data?: Hex
  }

const write = defineTaskWrite({
  functionName: 'safeTransferFrom',
  event: 'Transfer',
  args: ({ tokenId, from, to, data }: SafeTransferTaskParameters) => [from, to, tokenId, data ?? '0x'],
})

/**
 * As transferTask, refused when the receiver is a contract that does not take tokens. Source: ERC-721, safeTransferFrom.
 * Simulates, then sends.
 */
export const safeTransferTask = write.send

/** What {@link safeTransferTask} would do, on the latest state; nothing is sent. */
export const simulateSafeTransferTask = write.simulate

/** {@link safeTransferTask}, then waits for the event Transfer. */
export const safeTransferTaskAndWait = write.sendAndWait
