import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link isTenderCancelled}. */
export type IsTenderCancelledParameters = TaskReadParameters

/** Whether the update authority ended the tender. */
export function isTenderCancelled(client: Client, parameters: IsTenderCancelledParameters): Promise<boolean> {
  return readTask(client, parameters, 'isTenderCancelled', [parameters.tokenId])
}
