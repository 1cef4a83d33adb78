import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link reclaimResidual}. */
export type ReclaimResidualParameters = TaskTarget & WriteParameters

const write = defineTaskWrite({
  functionName: 'reclaimResidual',
  event: 'ResidualReclaimed',
  args: ({ tokenId }: ReclaimResidualParameters) => [tokenId],
})

/** Takes, as the owner and when the tender is over, what belongs neither to funders nor to creditors. Simulates, then sends. */
export const reclaimResidual = write.send

/** What {@link reclaimResidual} would do, on the latest state; nothing is sent. */
export const simulateReclaimResidual = write.simulate

/** {@link reclaimResidual}, then waits for the event ResidualReclaimed. */
export const reclaimResidualAndWait = write.sendAndWait
