import type { Client } from 'viem'
import { type CollectionReadParameters, readTask } from './read-task.ts'

/** Parameters of {@link getTaskCollectionName}. */
export type GetTaskCollectionNameParameters = CollectionReadParameters

/** Name of a task contract. Text of its deployer. Source: ERC-721 Metadata. */
export function getTaskCollectionName(client: Client, parameters: GetTaskCollectionNameParameters): Promise<string> {
  return readTask(client, parameters, 'name', [])
}
