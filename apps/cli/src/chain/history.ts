import { collectEvents, type EventCollection, type EventPage } from '@oikos/sdk'
import type { Connection } from './connect.ts'
import type { TaskTargetOnChain } from './open-task.ts'

/**
 * Reads the events of a task from the block in which its contract was deployed. For a contract of no known deployment,
 * as far as the pages of one collection reach from block 0.
 */
export async function readHistory<event>(
  connection: Connection,
  target: TaskTargetOnChain,
  list: (fromBlock: bigint) => Promise<EventPage<event>>,
): Promise<EventCollection<event>> {
  const deployment = await connection.knownDeployment()
  const isKnown = deployment?.taskToken.toLowerCase() === target.task.toLowerCase()
  return collectEvents(isKnown && deployment !== undefined ? deployment.deployedAtBlock : 0n, list)
}
