import { streakVerifierAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link commitStreak}. */
export type CommitStreakParameters = VerifierTarget &
  WriteParameters & {
    /** Ascending, each once, at most 32; see sortAttestors. */
    attestors: readonly Address[]
    /** How many of them have to sign, from 1 to all. */
    threshold: bigint
    /** Seconds after an epoch in which its deliveries still settle. */
    graceSec: bigint
  }

const write = defineWrite({
  abi: streakVerifierAbi,
  eventAbi: streakVerifierAbi,
  functionName: 'commitStreak',
  event: 'StreakCommitted',
  contract: ({ verifier }: CommitStreakParameters) => verifier,
  emitter: ({ verifier }) => verifier,
  args: ({ task, tokenId, attestors, threshold, graceSec }) => [task, tokenId, attestors, threshold, graceSec],
})

/** Names attestors and grace of a tender that has epochs to a streak verifier, once, as its update authority. Simulates, then
 * sends. */
export const commitStreak = write.send

/** What {@link commitStreak} would do, on the latest state; nothing is sent. */
export const simulateCommitStreak = write.simulate

/** {@link commitStreak}, then waits for the event StreakCommitted. */
export const commitStreakAndWait = write.sendAndWait
