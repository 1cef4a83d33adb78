import type { Address, Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getUpdateAuthority}. */
export type GetUpdateAuthorityParameters = TaskReadParameters

/** Who may publish, freeze and cancel. */
export function getUpdateAuthority(client: Client, parameters: GetUpdateAuthorityParameters): Promise<Address> {
  return readTask(client, parameters, 'updateAuthorityOf', [parameters.tokenId])
}
