import { juryPanelAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { JuryTenderTarget } from './target.ts'

/** Parameters of {@link voteJuryHandOver}. */
export type VoteJuryHandOverParameters = JuryTenderTarget &
  WriteParameters & {
    /** Who would judge next; not zero. */
    successor: Address
    /** False takes such a vote back. */
    approve: boolean
  }

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'voteHandOver',
  event: 'HandOverVoted',
  contract: ({ jury }: VoteJuryHandOverParameters) => jury,
  emitter: ({ jury }) => jury,
  args: ({ task, tokenId, successor, approve }) => [task, tokenId, successor, approve],
})

/** Votes for handing the judgment slot of a tender to a successor, as a juror. The K-th vote hands it over. Simulates, then sends. */
export const voteJuryHandOver = write.send

/** What {@link voteJuryHandOver} would do, on the latest state; nothing is sent. */
export const simulateVoteJuryHandOver = write.simulate

/** {@link voteJuryHandOver}, then waits for the event HandOverVoted. */
export const voteJuryHandOverAndWait = write.sendAndWait
