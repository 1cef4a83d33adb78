import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link claimShortfall}. */
export type ClaimShortfallParameters = TaskTarget &
  WriteParameters & {
    /** Counts from 1 in each tender. */
    submissionId: bigint
  }

const write = defineTaskWrite({
  functionName: 'claimShortfall',
  event: 'FulfillmentAccepted',
  args: ({ tokenId, submissionId }: ClaimShortfallParameters) => [tokenId, submissionId],
})

/**
 * As claimUnjudged, for less than the reward: takes what is there where the vault lost money by its token's doing. The
 * fulfiller may after the window, anyone after a second one.
 * Simulates, then sends.
 */
export const claimShortfall = write.send

/** What {@link claimShortfall} would do, on the latest state; nothing is sent. */
export const simulateClaimShortfall = write.simulate

/** {@link claimShortfall}, then waits for the event FulfillmentAccepted. */
export const claimShortfallAndWait = write.sendAndWait
