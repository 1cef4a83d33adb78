import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link acceptFulfillment}. */
export type AcceptFulfillmentParameters = TaskTarget &
  WriteParameters & {
    /** Counts from 1 in each tender. */
    submissionId: bigint
  }

const write = defineTaskWrite({
  functionName: 'acceptFulfillment',
  event: 'FulfillmentAccepted',
  args: ({ tokenId, submissionId }: AcceptFulfillmentParameters) => [tokenId, submissionId],
})

/**
 * Rules, as the judge, that a pending delivery fulfils the task, and pays its fulfiller. A payment that cannot be
 * delivered becomes a credit: `PayoutCredited` is then among the events.
 * Simulates, then sends.
 */
export const acceptFulfillment = write.send

/** What {@link acceptFulfillment} would do, on the latest state; nothing is sent. */
export const simulateAcceptFulfillment = write.simulate

/** {@link acceptFulfillment}, then waits for the event FulfillmentAccepted. */
export const acceptFulfillmentAndWait = write.sendAndWait
