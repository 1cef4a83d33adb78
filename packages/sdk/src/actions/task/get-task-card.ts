import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getTaskCard}. */
export type GetTaskCardParameters = TaskReadParameters

/** The display card as a data URI. For display; never a source for verification. Source: ERC-721 Metadata. */
export function getTaskCard(client: Client, parameters: GetTaskCardParameters): Promise<string> {
  return readTask(client, parameters, 'tokenURI', [parameters.tokenId])
}
