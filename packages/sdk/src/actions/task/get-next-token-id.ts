import type { Client } from 'viem'
import { type CollectionReadParameters, readTask } from './read-task.ts'

/** Parameters of {@link getNextTokenId}. */
export type GetNextTokenIdParameters = CollectionReadParameters

/** The id that the next task will get; all lower ones from 1 on exist. */
export function getNextTokenId(client: Client, parameters: GetNextTokenIdParameters): Promise<bigint> {
  return readTask(client, parameters, 'nextId', [])
}
