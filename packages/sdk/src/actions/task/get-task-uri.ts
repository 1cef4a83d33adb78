import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getTaskURI}. */
export type GetTaskURIParameters = TaskReadParameters

/** Where the package may be found. A hint by its publisher; verify what you fetch against the binding. */
export function getTaskURI(client: Client, parameters: GetTaskURIParameters): Promise<string> {
  return readTask(client, parameters, 'taskURI', [parameters.tokenId])
}
