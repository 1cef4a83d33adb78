import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineQuietAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link claimTokensBatch}. */
export type ClaimTokensBatchParameters = AgentTarget &
  WriteParameters & {
    /** At most 128, see MAX_BATCH. */
    users: readonly Address[]
  }

const write = defineQuietAgentWrite({
  functionName: 'redeemBatch',
  event: 'SharesRedeemed',
  args: ({ users }: ClaimTokensBatchParameters) => [users],
})

/**
 * Pays to many what settlements owe them; anyone may. A member to whom the token refuses to pay stays owed, and
 * ClaimFailed reports it. Simulates, then sends.
 */
export const claimTokensBatch = write.send

/** What {@link claimTokensBatch} would do, on the latest state; nothing is sent. `result` is the sum of the amounts. */
export const simulateClaimTokensBatch = write.simulate

/**
 * {@link claimTokensBatch}, then waits; `event` is the first SharesRedeemed, or undefined when nobody was paid.
 * `events` has them all, ClaimFailed too.
 */
export const claimTokensBatchAndWait = write.sendAndWait
