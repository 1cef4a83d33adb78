import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineQuietAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link claimShares}. */
export type ClaimSharesParameters = AgentTarget &
  WriteParameters & {
    /** Who is owed, and gets them. */
    user: Address
  }

const write = defineQuietAgentWrite({
  functionName: 'mint',
  event: 'SharesMinted',
  args: ({ user }: ClaimSharesParameters) => [user],
})

/** Mints to an account the shares that settlements owe it; anyone may. Simulates, then sends. */
export const claimShares = write.send

/**
 * What {@link claimShares} would do, on the latest state; nothing is sent. `result` is the shares, 0 where nothing is
 * owed.
 */
export const simulateClaimShares = write.simulate

/** {@link claimShares}, then waits; `event` is SharesMinted, or undefined when there was nothing to do. */
export const claimSharesAndWait = write.sendAndWait
