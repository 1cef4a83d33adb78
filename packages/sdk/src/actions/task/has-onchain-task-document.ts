import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link hasOnchainTaskDocument}. */
export type HasOnchainTaskDocumentParameters = TaskReadParameters

/** Whether the primary document is on the chain. */
export function hasOnchainTaskDocument(client: Client, parameters: HasOnchainTaskDocumentParameters): Promise<boolean> {
  return readTask(client, parameters, 'hasOnchainTaskDocument', [parameters.tokenId])
}
