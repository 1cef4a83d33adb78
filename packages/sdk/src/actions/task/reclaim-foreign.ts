import type { Address } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link reclaimForeign}. */
export type ReclaimForeignParameters = TaskTarget &
  WriteParameters & {
    /** Token that was sent to the vault by mistake; the zero address is the native currency. */
    foreignAsset: Address
  }

const write = defineTaskWrite({
  functionName: 'reclaimForeign',
  event: 'ForeignReclaimed',
  args: ({ tokenId, foreignAsset }: ReclaimForeignParameters) => [tokenId, foreignAsset],
})

/**
 * Takes, as the owner and when the tender is over, what was sent to the vault in another asset than the tender's.
 * Simulates, then sends.
 */
export const reclaimForeign = write.send

/** What {@link reclaimForeign} would do, on the latest state; nothing is sent. */
export const simulateReclaimForeign = write.simulate

/** {@link reclaimForeign}, then waits for the event ForeignReclaimed. */
export const reclaimForeignAndWait = write.sendAndWait
