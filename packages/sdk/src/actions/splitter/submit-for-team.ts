import { splitterAbi } from '@oikos/core/abi'
import type { Address, Hex } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { SplitterTarget } from './target.ts'

/** Parameters of {@link submitForTeam}. */
export type SubmitForTeamParameters = SplitterTarget &
  WriteParameters & {
    /** The task contract. */
    task: Address
    /** Counts from 1. */
    tokenId: bigint
    /** Commitment to the result, 32 bytes, not zero. */
    resultHash: Hex
    /** Where the result may be found; may be empty. */
    resultURI: string
  }

const write = defineWrite({
  abi: splitterAbi,
  eventAbi: splitterAbi,
  functionName: 'submitOnBehalf',
  event: 'Delivered',
  contract: ({ splitter }: SubmitForTeamParameters) => splitter,
  emitter: ({ splitter }) => splitter,
  args: ({ task, tokenId, resultHash, resultURI }) => [task, tokenId, resultHash, resultURI],
})

/** Delivers in the name of the team, as one of its members; the splitter is the fulfiller of record. Simulates, then sends. */
export const submitForTeam = write.send

/** What {@link submitForTeam} would do, on the latest state; nothing is sent. */
export const simulateSubmitForTeam = write.simulate

/** {@link submitForTeam}, then waits for the event Delivered. */
export const submitForTeamAndWait = write.sendAndWait
