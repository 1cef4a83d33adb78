import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineQuietAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link claimTokens}. */
export type ClaimTokensParameters = AgentTarget &
  WriteParameters & {
    /** Who is owed, and gets it. */
    user: Address
  }

const write = defineQuietAgentWrite({
  functionName: 'redeem',
  event: 'SharesRedeemed',
  args: ({ user }: ClaimTokensParameters) => [user],
})

/** Pays to an account the Accept Token that settlements owe it; anyone may. Simulates, then sends. */
export const claimTokens = write.send

/**
 * What {@link claimTokens} would do, on the latest state; nothing is sent. `result` is the amount, 0 where nothing is
 * owed.
 */
export const simulateClaimTokens = write.simulate

/** {@link claimTokens}, then waits; `event` is SharesRedeemed, or undefined when there was nothing to do. */
export const claimTokensAndWait = write.sendAndWait
