import type { Hex } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link submitFulfillment}. */
export type SubmitFulfillmentParameters = TaskTarget &
  WriteParameters & {
    /** Commitment to the deliverable, 32 bytes, not zero. */
    resultHash: Hex
    /** Where the deliverable may be found; may be empty. */
    resultURI: string
  }

const write = defineTaskWrite({
  functionName: 'submitFulfillment',
  event: 'FulfillmentSubmitted',
  args: ({ tokenId, resultHash, resultURI }: SubmitFulfillmentParameters) => [tokenId, resultHash, resultURI],
})

/**
 * Delivers: reserves a completion and its reward, and starts the clock of the judge. `event.args.submissionId` is its number.
 * Simulates, then sends.
 */
export const submitFulfillment = write.send

/** What {@link submitFulfillment} would do, on the latest state; nothing is sent. */
export const simulateSubmitFulfillment = write.simulate

/** {@link submitFulfillment}, then waits for the event FulfillmentSubmitted. */
export const submitFulfillmentAndWait = write.sendAndWait
