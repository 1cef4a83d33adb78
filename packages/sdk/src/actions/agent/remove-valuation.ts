import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link removeValuation}. */
export type RemoveValuationParameters = AgentTarget &
  WriteParameters & {
    valuation: Address
  }

const write = defineAgentWrite({
  functionName: 'removeValuation',
  event: 'ValuationRemoved',
  args: ({ valuation }: RemoveValuationParameters) => [valuation],
})

/** Unlists a valuation, as the Owner. What it valued counts for nothing from then on. Simulates, then sends. */
export const removeValuation = write.send

/** What {@link removeValuation} would do, on the latest state; nothing is sent. */
export const simulateRemoveValuation = write.simulate

/** {@link removeValuation}, then waits for the event ValuationRemoved. */
export const removeValuationAndWait = write.sendAndWait
