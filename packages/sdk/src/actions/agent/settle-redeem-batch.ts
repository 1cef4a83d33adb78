import type { Address } from 'viem'
import type { StoredReasoning } from '../../content/stored-reasoning.ts'
import type { WriteParameters } from '../target.ts'
import { defineReasonedWrite } from './define-reasoned-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link settleRedeemBatch}. */
export type SettleRedeemBatchParameters = AgentTarget &
  WriteParameters & {
    /** At most 128, see MAX_BATCH. */
    requesters: readonly Address[]
    /** Record that was stored before; see storeReasoning. */
    reasoning: StoredReasoning
  }

const write = defineReasonedWrite({
  functionName: 'settleRedeemBatch',
  event: 'Reasoned',
  args: ({ requesters }: SettleRedeemBatchParameters) => [requesters],
})

/**
 * Settles the pending redemptions of many at one price with one record, as an Executor. Who cannot be settled is
 * reported with SettlementSkipped. Simulates, then sends.
 */
export const settleRedeemBatch = write.send

/** What {@link settleRedeemBatch} would do, on the latest state; nothing is sent. */
export const simulateSettleRedeemBatch = write.simulate

/**
 * {@link settleRedeemBatch}, then waits for the event Reasoned; `events` has Settled or SettlementSkipped for every
 * member, or SettlementStopped.
 */
export const settleRedeemBatchAndWait = write.sendAndWait
