import { juryPanelAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { JuryCaseTarget } from './target.ts'

/** Parameters of {@link voteOnDelivery}. */
export type VoteOnDeliveryParameters = JuryCaseTarget &
  WriteParameters & {
    /** Whether the juror vouches for the delivery. */
    approve: boolean
  }

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'vote',
  event: 'Voted',
  contract: ({ jury }: VoteOnDeliveryParameters) => jury,
  emitter: ({ jury }) => jury,
  args: ({ task, tokenId, submissionId, approve }) => [task, tokenId, submissionId, approve],
})

/** Votes on a pending delivery, once, as a juror. The first vote opens the case; the deciding one accepts or refuses. Simulates, then sends. */
export const voteOnDelivery = write.send

/** What {@link voteOnDelivery} would do, on the latest state; nothing is sent. */
export const simulateVoteOnDelivery = write.simulate

/** {@link voteOnDelivery}, then waits for the event Voted. */
export const voteOnDeliveryAndWait = write.sendAndWait
