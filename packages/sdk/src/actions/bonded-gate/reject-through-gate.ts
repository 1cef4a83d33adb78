import { bondedGateAbi, taskTokenAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { GateDeliveryTarget } from './target.ts'

/** Parameters of {@link rejectThroughGate}. */
export type RejectThroughGateParameters = GateDeliveryTarget &
  WriteParameters & {
    /** The task contract of the gate; its event reports the effect. */
    task: Address
  }

const write = defineWrite({
  abi: bondedGateAbi,
  eventAbi: taskTokenAbi,
  functionName: 'rejectFulfillment',
  event: 'FulfillmentRejected',
  contract: ({ gate }: RejectThroughGateParameters) => gate,
  emitter: ({ task }) => task,
  args: ({ tokenId, submissionId }) => [tokenId, submissionId],
})

/** Refuses a pending delivery, as the judge that the rule of the gate names, while the gate holds the judgment slot.
 * Simulates, then sends. */
export const rejectThroughGate = write.send

/** What {@link rejectThroughGate} would do, on the latest state; nothing is sent. */
export const simulateRejectThroughGate = write.simulate

/** {@link rejectThroughGate}, then waits for the event FulfillmentRejected of the task contract. */
export const rejectThroughGateAndWait = write.sendAndWait
