import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link rejectFulfillment}. */
export type RejectFulfillmentParameters = TaskTarget &
  WriteParameters & {
    /** Counts from 1 in each tender. */
    submissionId: bigint
  }

const write = defineTaskWrite({
  functionName: 'rejectFulfillment',
  event: 'FulfillmentRejected',
  args: ({ tokenId, submissionId }: RejectFulfillmentParameters) => [tokenId, submissionId],
})

/**
 * Rules, as the judge and within the judgment window, that a pending delivery does not fulfil the task.
 * Simulates, then sends.
 */
export const rejectFulfillment = write.send

/** What {@link rejectFulfillment} would do, on the latest state; nothing is sent. */
export const simulateRejectFulfillment = write.simulate

/** {@link rejectFulfillment}, then waits for the event FulfillmentRejected. */
export const rejectFulfillmentAndWait = write.sendAndWait
