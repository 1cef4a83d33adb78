import type { TaskHash, TdHash } from '@oikos/core'
import type { Client } from 'viem'
import type { Branded } from '../branded.ts'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** What a token stands for. Source: ERC-8414, TaskBinding. */
export type TaskBinding = {
  /** SHA-256 of the plaintext primary document. */
  readonly tdHash: TdHash
  /** SHA-256 of the encoded TaskRoot as published. */
  readonly taskHash: TaskHash
  /** Starts at 1 and rises by 1 with each update. */
  readonly version: bigint
}

/** Parameters of {@link getTaskBinding}. */
export type GetTaskBindingParameters = TaskReadParameters

/** The current binding: the identity of the task, against which a fetched package is verified. */
export async function getTaskBinding(client: Client, parameters: GetTaskBindingParameters): Promise<TaskBinding> {
  const binding = await readTask(client, parameters, 'taskOf', [parameters.tokenId])
  return binding as Branded<typeof binding>
}
