import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getEscrowBalance}. */
export type GetEscrowBalanceParameters = TaskReadParameters

/** Live balance of the vault in the tender's asset, in smallest units. */
export function getEscrowBalance(client: Client, parameters: GetEscrowBalanceParameters): Promise<bigint> {
  return readTask(client, parameters, 'escrowBalanceOf', [parameters.tokenId])
}
