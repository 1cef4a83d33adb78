import { bondedGateAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { GateDeliveryTarget } from './target.ts'

/** Parameters of {@link evictDelivery}. */
export type EvictDeliveryParameters = GateDeliveryTarget & WriteParameters

const write = defineWrite({
  abi: bondedGateAbi,
  eventAbi: bondedGateAbi,
  functionName: 'evict',
  event: 'Evicted',
  contract: ({ gate }: EvictDeliveryParameters) => gate,
  emitter: ({ gate }) => gate,
  args: ({ tokenId, submissionId }) => [tokenId, submissionId],
})

/** Refuses a delivery that carries no bond, while the gate holds the judgment slot; anyone may. Simulates, then sends. */
export const evictDelivery = write.send

/** What {@link evictDelivery} would do, on the latest state; nothing is sent. */
export const simulateEvictDelivery = write.simulate

/** {@link evictDelivery}, then waits for the event Evicted. */
export const evictDeliveryAndWait = write.sendAndWait
