import type { Address } from 'viem'
import type { StoredReasoning } from '../../content/stored-reasoning.ts'
import type { WriteParameters } from '../target.ts'
import { defineReasonedWrite } from './define-reasoned-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link settleMintBatch}. */
export type SettleMintBatchParameters = AgentTarget &
  WriteParameters & {
    /** At most 128, see MAX_BATCH. */
    requesters: readonly Address[]
    /** Record that was stored before; see storeReasoning. */
    reasoning: StoredReasoning
  }

const write = defineReasonedWrite({
  functionName: 'settleMintBatch',
  event: 'Reasoned',
  args: ({ requesters }: SettleMintBatchParameters) => [requesters],
})

/**
 * Settles the pending deposits of many at one price with one record, as an Executor. Who cannot be settled is reported
 * with SettlementSkipped. Simulates, then sends.
 */
export const settleMintBatch = write.send

/** What {@link settleMintBatch} would do, on the latest state; nothing is sent. */
export const simulateSettleMintBatch = write.simulate

/**
 * {@link settleMintBatch}, then waits for the event Reasoned; `events` has Settled or SettlementSkipped for every
 * member, or SettlementStopped.
 */
export const settleMintBatchAndWait = write.sendAndWait
