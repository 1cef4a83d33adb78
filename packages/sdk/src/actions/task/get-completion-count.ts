import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getCompletionCount}. */
export type GetCompletionCountParameters = TaskReadParameters

/** How many deliveries were accepted. */
export function getCompletionCount(client: Client, parameters: GetCompletionCountParameters): Promise<bigint> {
  return readTask(client, parameters, 'completionsOf', [parameters.tokenId])
}
