import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link setTaskURI}. */
export type SetTaskURIParameters = TaskTarget &
  WriteParameters & {
    /** Where the package may be found; not empty. */
    taskURI: string
  }

const write = defineTaskWrite({
  functionName: 'setTaskURI',
  event: 'TaskURIUpdated',
  args: ({ tokenId, taskURI }: SetTaskURIParameters) => [tokenId, taskURI],
})

/** Replaces the transport hint, as the update authority. The version stays. Simulates, then sends. */
export const setTaskURI = write.send

/** What {@link setTaskURI} would do, on the latest state; nothing is sent. */
export const simulateSetTaskURI = write.simulate

/** {@link setTaskURI}, then waits for the event TaskURIUpdated. */
export const setTaskURIAndWait = write.sendAndWait
