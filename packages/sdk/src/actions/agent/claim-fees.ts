import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link claimFees}. */
export type ClaimFeesParameters = AgentTarget & WriteParameters

const write = defineAgentWrite({
  functionName: 'claimFees',
  event: 'FeesClaimed',
  args: (_: ClaimFeesParameters) => [],
})

/** Pays the fees of all settlements so far to the fee recipient; anyone may. Simulates, then sends. */
export const claimFees = write.send

/** What {@link claimFees} would do, on the latest state; nothing is sent. */
export const simulateClaimFees = write.simulate

/** {@link claimFees}, then waits for the event FeesClaimed. */
export const claimFeesAndWait = write.sendAndWait
