import type { Address } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link setUpdateAuthority}. */
export type SetUpdateAuthorityParameters = TaskTarget &
  WriteParameters & {
    /** Who may publish, freeze and cancel from then on; not zero. */
    newAuthority: Address
  }

const write = defineTaskWrite({
  functionName: 'setUpdateAuthority',
  event: 'TaskUpdateAuthorityChanged',
  args: ({ tokenId, newAuthority }: SetUpdateAuthorityParameters) => [tokenId, newAuthority],
})

/** Passes publication on, as the update authority. Simulates, then sends. */
export const setUpdateAuthority = write.send

/** What {@link setUpdateAuthority} would do, on the latest state; nothing is sent. */
export const simulateSetUpdateAuthority = write.simulate

/** {@link setUpdateAuthority}, then waits for the event TaskUpdateAuthorityChanged. */
export const setUpdateAuthorityAndWait = write.sendAndWait
