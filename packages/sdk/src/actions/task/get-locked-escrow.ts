import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getLockedEscrow}. */
export type GetLockedEscrowParameters = TaskReadParameters

/** What pending deliveries reserve of the balance, in smallest units. */
export function getLockedEscrow(client: Client, parameters: GetLockedEscrowParameters): Promise<bigint> {
  return readTask(client, parameters, 'lockedEscrowOf', [parameters.tokenId])
}
