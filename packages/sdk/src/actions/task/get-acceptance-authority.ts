import type { Address, Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getAcceptanceAuthority}. */
export type GetAcceptanceAuthorityParameters = TaskReadParameters

/** What is in the judgment slot: a judge, or a verifier contract. */
export function getAcceptanceAuthority(client: Client, parameters: GetAcceptanceAuthorityParameters): Promise<Address> {
  return readTask(client, parameters, 'acceptanceAuthorityOf', [parameters.tokenId])
}
