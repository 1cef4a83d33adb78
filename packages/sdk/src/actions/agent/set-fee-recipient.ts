import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link setFeeRecipient}. */
export type SetFeeRecipientParameters = AgentTarget &
  WriteParameters & {
    recipient: Address
  }

const write = defineAgentWrite({
  functionName: 'setFeeRecipient',
  event: 'FeeRecipientUpdated',
  args: ({ recipient }: SetFeeRecipientParameters) => [recipient],
})

/** Names who gets the fees, those that are owed already included, as the Owner. Simulates, then sends. */
export const setFeeRecipient = write.send

/** What {@link setFeeRecipient} would do, on the latest state; nothing is sent. */
export const simulateSetFeeRecipient = write.simulate

/** {@link setFeeRecipient}, then waits for the event FeeRecipientUpdated. */
export const setFeeRecipientAndWait = write.sendAndWait
