import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link addValuation}. */
export type AddValuationParameters = AgentTarget &
  WriteParameters & {
    /** Contract of IValuation whose asset is the Accept Token. */
    valuation: Address
  }

const write = defineAgentWrite({
  functionName: 'addValuation',
  event: 'ValuationAdded',
  args: ({ valuation }: AddValuationParameters) => [valuation],
})

/**
 * Lists a contract that values what the Agent owns elsewhere, as the Owner. At once, without delay. Simulates, then
 * sends.
 */
export const addValuation = write.send

/** What {@link addValuation} would do, on the latest state; nothing is sent. */
export const simulateAddValuation = write.simulate

/** {@link addValuation}, then waits for the event ValuationAdded. */
export const addValuationAndWait = write.sendAndWait
