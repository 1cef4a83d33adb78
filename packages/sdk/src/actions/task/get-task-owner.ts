import type { Address, Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getTaskOwner}. */
export type GetTaskOwnerParameters = TaskReadParameters

/** Holder of the asset, to whom the residual belongs. Source: ERC-721. */
export function getTaskOwner(client: Client, parameters: GetTaskOwnerParameters): Promise<Address> {
  return readTask(client, parameters, 'ownerOf', [parameters.tokenId])
}
