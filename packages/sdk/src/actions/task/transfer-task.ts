import type { Address } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link transferTask}. */
export type TransferTaskParameters = TaskTarget &
  WriteParameters & {
    /** The current owner. */
    from: Address
    /** The next owner; not asked whether it can handle the token. */
    to: Address
  }

const write = defineTaskWrite({
  functionName: 'transferFrom',
  event: 'Transfer',
  args: ({ tokenId, from, to }: TransferTaskParameters) => [from, to, tokenId],
})

/** Passes the asset on, and with it the residual; both authorities stay. Source: ERC-721, transferFrom. Simulates, then sends. */
export const transferTask = write.send

/** What {@link transferTask} would do, on the latest state; nothing is sent. */
export const simulateTransferTask = write.simulate

/** {@link transferTask}, then waits for the event Transfer. */
export const transferTaskAndWait = write.sendAndWait
