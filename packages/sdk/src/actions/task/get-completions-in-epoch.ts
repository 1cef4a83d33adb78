import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getCompletionsInEpoch}. */
export type GetCompletionsInEpochParameters = TaskReadParameters & {
  /** Unix time divided by the epoch length, rounded down. */
  epoch: bigint
}

/** How many deliveries were accepted in one epoch. */
export function getCompletionsInEpoch(client: Client, parameters: GetCompletionsInEpochParameters): Promise<bigint> {
  return readTask(client, parameters, 'completionsInEpochOf', [parameters.tokenId, parameters.epoch])
}
