import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link releaseExpired}. */
export type ReleaseExpiredParameters = TaskTarget &
  WriteParameters & {
    /** Counts from 1 in each tender. */
    submissionId: bigint
  }

const write = defineTaskWrite({
  functionName: 'releaseExpired',
  event: 'SubmissionReleased',
  args: ({ tokenId, submissionId }: ReleaseExpiredParameters) => [tokenId, submissionId],
})

/**
 * Ends a delivery to a verifier that nobody proved within the window; its slot is free again. Anyone may.
 * Simulates, then sends.
 */
export const releaseExpired = write.send

/** What {@link releaseExpired} would do, on the latest state; nothing is sent. */
export const simulateReleaseExpired = write.simulate

/** {@link releaseExpired}, then waits for the event SubmissionReleased. */
export const releaseExpiredAndWait = write.sendAndWait
