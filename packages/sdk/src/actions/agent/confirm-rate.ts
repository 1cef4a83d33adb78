import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link confirmRate}. */
export type ConfirmRateParameters = AgentTarget &
  WriteParameters & {
    /** Accept Token smallest units per share, inclusive. */
    minRate: bigint
    /** Accept Token smallest units per share, inclusive. */
    maxRate: bigint
  }

const write = defineAgentWrite({
  functionName: 'confirmRate',
  event: 'RateConfirmed',
  args: ({ minRate, maxRate }: ConfirmRateParameters) => [minRate, maxRate],
})

/**
 * Lets settlement go on at the rate of now if it lies within bounds, as the Owner or the guardian. Simulates, then
 * sends.
 */
export const confirmRate = write.send

/** What {@link confirmRate} would do, on the latest state; nothing is sent. */
export const simulateConfirmRate = write.simulate

/** {@link confirmRate}, then waits for the event RateConfirmed. */
export const confirmRateAndWait = write.sendAndWait
