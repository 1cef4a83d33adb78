import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link claimUnjudged}. */
export type ClaimUnjudgedParameters = TaskTarget &
  WriteParameters & {
    /** Counts from 1 in each tender. */
    submissionId: bigint
  }

const write = defineTaskWrite({
  functionName: 'claimUnjudged',
  event: 'FulfillmentAccepted',
  args: ({ tokenId, submissionId }: ClaimUnjudgedParameters) => [tokenId, submissionId],
})

/** Pays the fulfiller of a judged delivery on which nobody ruled within the window. Anyone may. Simulates, then sends. */
export const claimUnjudged = write.send

/** What {@link claimUnjudged} would do, on the latest state; nothing is sent. */
export const simulateClaimUnjudged = write.simulate

/** {@link claimUnjudged}, then waits for the event FulfillmentAccepted. */
export const claimUnjudgedAndWait = write.sendAndWait
