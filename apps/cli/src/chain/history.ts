import type { EventPage } from '@oikos/sdk'
import type { Connection } from './connect.ts'
import type { TaskTargetOnChain } from './open-task.ts'

/** Pages of events that one command reads; each is up to 50 requests of 1,000 blocks. */
const MAX_PAGES = 20

/** Events from the first block on, and whether all blocks were covered. */
export type History<event> = { readonly events: readonly event[]; readonly complete: boolean }

/**
 * Reads the events of a task from the block in which its contract was deployed. For a contract of no known deployment,
 * as far as {@link MAX_PAGES} pages from block 0 reach.
 */
export async function readHistory<event>(
  connection: Connection,
  target: TaskTargetOnChain,
  list: (fromBlock: bigint) => Promise<EventPage<event>>,
): Promise<History<event>> {
  const deployment = await connection.knownDeployment()
  const isKnown = deployment?.taskToken.toLowerCase() === target.task.toLowerCase()
  let fromBlock = isKnown && deployment !== undefined ? deployment.deployedAtBlock : 0n
  const events: event[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const { events: found, nextFromBlock } = await list(fromBlock)
    events.push(...found)
    if (nextFromBlock === undefined) return { events, complete: true }
    fromBlock = nextFromBlock
  }
  return { events, complete: false }
}
