import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link cancelTask}. */
export type CancelTaskParameters = TaskTarget & WriteParameters

const write = defineTaskWrite({
  functionName: 'cancelTask',
  event: 'TenderCancelled',
  args: ({ tokenId }: CancelTaskParameters) => [tokenId],
})

/**
 * Closes a tender to new deliveries and money, as the update authority. Deliveries that are pending are still judged and paid.
 * Simulates, then sends.
 */
export const cancelTask = write.send

/** What {@link cancelTask} would do, on the latest state; nothing is sent. */
export const simulateCancelTask = write.simulate

/** {@link cancelTask}, then waits for the event TenderCancelled. */
export const cancelTaskAndWait = write.sendAndWait
