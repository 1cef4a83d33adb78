import type { Address } from 'viem'
import type { StoredReasoning } from '../../content/stored-reasoning.ts'
import type { WriteParameters } from '../target.ts'
import { defineReasonedWrite } from './define-reasoned-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link settleRedeem}. */
export type SettleRedeemParameters = AgentTarget &
  WriteParameters & {
    /** Whose request is settled; never the sender. */
    requester: Address
    /** Record that was stored before; see storeReasoning. */
    reasoning: StoredReasoning
  }

const write = defineReasonedWrite({
  functionName: 'settleRedeem',
  event: 'Settled',
  args: ({ requester }: SettleRedeemParameters) => [requester],
})

/**
 * Settles the pending redemption of a requester at the price that the books give, as an Executor. A limit that would be
 * breached, and a rate outside the corridor, settle nothing: then `amount` of the event is 0. Simulates, then sends.
 */
export const settleRedeem = write.send

/** What {@link settleRedeem} would do, on the latest state; nothing is sent. */
export const simulateSettleRedeem = write.simulate

/** {@link settleRedeem}, then waits for the event Settled. */
export const settleRedeemAndWait = write.sendAndWait
