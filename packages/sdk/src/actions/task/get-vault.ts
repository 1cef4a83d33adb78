import type { Address, Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getVault}. */
export type GetVaultParameters = TaskReadParameters

/** The account that holds the money of one tender. */
export function getVault(client: Client, parameters: GetVaultParameters): Promise<Address> {
  return readTask(client, parameters, 'vaultOf', [parameters.tokenId])
}
