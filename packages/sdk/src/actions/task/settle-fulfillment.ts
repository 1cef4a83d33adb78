import type { Hex } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link settleFulfillment}. */
export type SettleFulfillmentParameters = TaskTarget &
  WriteParameters & {
    /** Counts from 1 in each tender. */
    submissionId: bigint
    /** What the verifier in the judgment slot checks; see the encoders of its profile. */
    proof: Hex
  }

const write = defineTaskWrite({
  functionName: 'settleFulfillment',
  event: 'FulfillmentAccepted',
  args: ({ tokenId, submissionId, proof }: SettleFulfillmentParameters) => [tokenId, submissionId, proof],
})

/** Settles a pending delivery by a proof that the verifier in the judgment slot accepts. Anyone may. Simulates, then sends. */
export const settleFulfillment = write.send

/** What {@link settleFulfillment} would do, on the latest state; nothing is sent. */
export const simulateSettleFulfillment = write.simulate

/** {@link settleFulfillment}, then waits for the event FulfillmentAccepted. */
export const settleFulfillmentAndWait = write.sendAndWait
