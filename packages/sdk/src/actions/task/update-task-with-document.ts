import type { TaskHash } from '@oikos/core'
import { bytesToHex } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link updateTaskWithDocument}. */
export type UpdateTaskWithDocumentParameters = TaskTarget &
  WriteParameters & {
    /** The exact bytes of the primary document, at most 24,575; its SHA-256 becomes the tdHash. */
    document: Uint8Array
    /** SHA-256 of the encoded TaskRoot; differs from the current one. */
    taskHash: TaskHash
  }

const write = defineTaskWrite({
  functionName: 'updateTaskWithDocument',
  event: 'TaskUpdated',
  args: ({ tokenId, document, taskHash }: UpdateTaskWithDocumentParameters) => [
    tokenId,
    bytesToHex(document),
    taskHash,
  ],
})

/** Publishes the next version together with its document on the chain, as the update authority. Simulates, then sends. */
export const updateTaskWithDocument = write.send

/** What {@link updateTaskWithDocument} would do, on the latest state; nothing is sent. */
export const simulateUpdateTaskWithDocument = write.simulate

/** {@link updateTaskWithDocument}, then waits for the event TaskUpdated. */
export const updateTaskWithDocumentAndWait = write.sendAndWait
