import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link freezeTask}. */
export type FreezeTaskParameters = TaskTarget & WriteParameters

const write = defineTaskWrite({
  functionName: 'freezeTask',
  event: 'TaskFrozen',
  args: ({ tokenId }: FreezeTaskParameters) => [tokenId],
})

/** Ends all content updates for ever, as the update authority. Simulates, then sends. */
export const freezeTask = write.send

/** What {@link freezeTask} would do, on the latest state; nothing is sent. */
export const simulateFreezeTask = write.simulate

/** {@link freezeTask}, then waits for the event TaskFrozen. */
export const freezeTaskAndWait = write.sendAndWait
