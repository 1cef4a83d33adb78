import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineQuietAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link claimSharesBatch}. */
export type ClaimSharesBatchParameters = AgentTarget &
  WriteParameters & {
    /** At most 128, see MAX_BATCH. */
    users: readonly Address[]
  }

const write = defineQuietAgentWrite({
  functionName: 'mintBatch',
  event: 'SharesMinted',
  args: ({ users }: ClaimSharesBatchParameters) => [users],
})

/** Mints to many what settlements owe them; anyone may. Simulates, then sends. */
export const claimSharesBatch = write.send

/** What {@link claimSharesBatch} would do, on the latest state; nothing is sent. `result` is the sum of the shares. */
export const simulateClaimSharesBatch = write.simulate

/**
 * {@link claimSharesBatch}, then waits; `event` is the first SharesMinted, or undefined when nobody was owed anything.
 * `events` has them all.
 */
export const claimSharesBatchAndWait = write.sendAndWait
