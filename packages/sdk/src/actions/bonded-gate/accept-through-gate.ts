import { bondedGateAbi, taskTokenAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { GateDeliveryTarget } from './target.ts'

/** Parameters of {@link acceptThroughGate}. */
export type AcceptThroughGateParameters = GateDeliveryTarget &
  WriteParameters & {
    /** The task contract of the gate; its event reports the effect. */
    task: Address
  }

const write = defineWrite({
  abi: bondedGateAbi,
  eventAbi: taskTokenAbi,
  functionName: 'acceptFulfillment',
  event: 'FulfillmentAccepted',
  contract: ({ gate }: AcceptThroughGateParameters) => gate,
  emitter: ({ task }) => task,
  args: ({ tokenId, submissionId }) => [tokenId, submissionId],
})

/** Accepts a pending delivery, as the judge that the rule of the gate names, while the gate holds the judgment slot.
 * Simulates, then sends. */
export const acceptThroughGate = write.send

/** What {@link acceptThroughGate} would do, on the latest state; nothing is sent. */
export const simulateAcceptThroughGate = write.simulate

/** {@link acceptThroughGate}, then waits for the event FulfillmentAccepted of the task contract. */
export const acceptThroughGateAndWait = write.sendAndWait
