import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link lowerFees}. */
export type LowerFeesParameters = AgentTarget &
  WriteParameters & {
    /** Basis points of a deposit; at most what is set. */
    mintFeeBps: number
    /** Basis points of a payout; at most what is set. */
    redeemFeeBps: number
  }

const write = defineAgentWrite({
  functionName: 'lowerFees',
  event: 'FeesUpdated',
  args: ({ mintFeeBps, redeemFeeBps }: LowerFeesParameters) => [mintFeeBps, redeemFeeBps],
})

/** Lowers the fees, as the Owner; they never rise. Simulates, then sends. */
export const lowerFees = write.send

/** What {@link lowerFees} would do, on the latest state; nothing is sent. */
export const simulateLowerFees = write.simulate

/** {@link lowerFees}, then waits for the event FeesUpdated. */
export const lowerFeesAndWait = write.sendAndWait
