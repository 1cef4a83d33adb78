import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getPendingCount}. */
export type GetPendingCountParameters = TaskReadParameters

/** How many deliveries wait for a decision. */
export function getPendingCount(client: Client, parameters: GetPendingCountParameters): Promise<bigint> {
  return readTask(client, parameters, 'pendingOf', [parameters.tokenId])
}
