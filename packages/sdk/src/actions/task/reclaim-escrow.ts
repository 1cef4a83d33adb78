import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link reclaimEscrow}. */
export type ReclaimEscrowParameters = TaskTarget & WriteParameters

const write = defineTaskWrite({
  functionName: 'reclaimEscrow',
  event: 'EscrowReclaimed',
  args: ({ tokenId }: ReclaimEscrowParameters) => [tokenId],
})

/** Takes the sender's share of the contributions back when the tender is over, rounded down. Simulates, then sends. */
export const reclaimEscrow = write.send

/** What {@link reclaimEscrow} would do, on the latest state; nothing is sent. */
export const simulateReclaimEscrow = write.simulate

/** {@link reclaimEscrow}, then waits for the event EscrowReclaimed. */
export const reclaimEscrowAndWait = write.sendAndWait
