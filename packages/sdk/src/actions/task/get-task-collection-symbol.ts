import type { Client } from 'viem'
import { type CollectionReadParameters, readTask } from './read-task.ts'

/** Parameters of {@link getTaskCollectionSymbol}. */
export type GetTaskCollectionSymbolParameters = CollectionReadParameters

/** Symbol of a task contract. Text of its deployer. Source: ERC-721 Metadata. */
export function getTaskCollectionSymbol(
  client: Client,
  parameters: GetTaskCollectionSymbolParameters,
): Promise<string> {
  return readTask(client, parameters, 'symbol', [])
}
