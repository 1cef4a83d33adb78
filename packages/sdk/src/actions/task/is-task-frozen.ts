import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link isTaskFrozen}. */
export type IsTaskFrozenParameters = TaskReadParameters

/** Whether the content can never change again. */
export function isTaskFrozen(client: Client, parameters: IsTaskFrozenParameters): Promise<boolean> {
  return readTask(client, parameters, 'isTaskFrozen', [parameters.tokenId])
}
