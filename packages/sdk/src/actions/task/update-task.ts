import type { TaskHash, TdHash } from '@oikos/core'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link updateTask}. */
export type UpdateTaskParameters = TaskTarget &
  WriteParameters & {
    /** SHA-256 of the plaintext primary document. */
    tdHash: TdHash
    /** SHA-256 of the encoded TaskRoot; differs from the current one. */
    taskHash: TaskHash
  }

const write = defineTaskWrite({
  functionName: 'updateTask',
  event: 'TaskUpdated',
  args: ({ tokenId, tdHash, taskHash }: UpdateTaskParameters) => [tokenId, tdHash, taskHash],
})

/** Publishes the next version of the task, as the update authority. Simulates, then sends. */
export const updateTask = write.send

/** What {@link updateTask} would do, on the latest state; nothing is sent. */
export const simulateUpdateTask = write.simulate

/** {@link updateTask}, then waits for the event TaskUpdated. */
export const updateTaskAndWait = write.sendAndWait
