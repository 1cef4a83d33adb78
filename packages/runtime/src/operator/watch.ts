import {
  type AnyAgentEvent,
  type AnyTaskEvent,
  type BlockMoment,
  getBlockMoment,
  listAgentEvents,
  listTaskEvents,
} from '@oikos/sdk'
import { type Address, isAddressEqual } from 'viem'
import type { OperatorContext } from './context.ts'
import type { Fence } from './store/leases.ts'
import type { Subject, SubjectKind } from './store/notes.ts'

/** Blocks that are read again after a reorganisation beyond the depth at which actions are final. */
const REREAD_BLOCKS = 64n

/**
 * Reads the events since the last pass. They only name what has to be looked at: what it is now, views of the contracts say. A
 * cursor whose block is no longer part of the chain goes back.
 */
export async function watchChain(context: OperatorContext, fence: Fence, head: BlockMoment): Promise<void> {
  const { client, agent, agentFromBlock, settings } = context
  await followSource(context, fence, head, {
    ...{ source: 'agent', fromBlock: agentFromBlock },
    list: (range) => listAgentEvents(client, { agent, ...range }),
    subjects: (events: readonly AnyAgentEvent[]) => new Map([['requester', requestersOf(events)]]),
  })
  for (const { task, fromBlock } of settings.tenders?.markets ?? []) {
    await followSource(context, fence, head, {
      ...{ source: `task ${task.toLowerCase()}`, fromBlock },
      list: (range) => listTaskEvents(client, { task, ...range }),
      subjects: (events: readonly AnyTaskEvent[]) => taskSubjects(task, agent, events),
    })
  }
}

type Source<event> = {
  readonly source: string
  readonly fromBlock: bigint
  readonly list: (range: {
    fromBlock: bigint
    toBlock: bigint
  }) => Promise<{ events: readonly event[]; toBlock: bigint; nextFromBlock?: bigint }>
  readonly subjects: (events: readonly event[]) => ReadonlyMap<SubjectKind, readonly Subject[]>
}

async function followSource<event>(
  context: OperatorContext,
  fence: Fence,
  head: BlockMoment,
  { source, fromBlock, list, subjects }: Source<event>,
): Promise<void> {
  const { client, store } = context
  let next: bigint | undefined = await nextBlock(context, head, source, fromBlock)
  while (next !== undefined && next <= head.number) {
    const page = await list({ fromBlock: next, toBlock: head.number })
    // a node behind the one that told the latest block: the next pass goes on from here
    if (page.toBlock < next) return
    const end = page.toBlock === head.number ? head : await getBlockMoment(client, page.toBlock)
    const cursor = { blockNumber: end.number, blockHash: end.hash }
    await store.notes.putSubjects(fence, { source, cursor, subjects: subjects(page.events) })
    next = page.nextFromBlock
  }
}

/** First block that was not read yet on the chain as it is now. */
async function nextBlock(
  { client, store, identity, settings, log }: OperatorContext,
  head: BlockMoment,
  source: string,
  fromBlock: bigint,
): Promise<bigint> {
  const cursor = await store.notes.getCursor(identity.agent, source)
  if (cursor === undefined) return fromBlock
  if (cursor.blockNumber <= head.number) {
    const { hash } = await getBlockMoment(client, cursor.blockNumber)
    if (hash === cursor.blockHash) return cursor.blockNumber + 1n
  }
  log.warn({ source, blockNumber: cursor.blockNumber.toString() }, 'the chain was reorganised; events are read again')
  const back = cursor.blockNumber - settings.finalityBlocks - REREAD_BLOCKS
  return back > fromBlock ? back : fromBlock
}

function requestersOf(events: readonly AnyAgentEvent[]): readonly Subject[] {
  const named = new Set<string>()
  for (const { eventName, args } of events) {
    if (eventName === 'MintRequested' || eventName === 'RedeemRequested') named.add(args.requester.toLowerCase())
  }
  return [...named].map((id) => ({ id, detail: {} }))
}

function taskSubjects(
  task: Address,
  agent: Address,
  events: readonly AnyTaskEvent[],
): ReadonlyMap<SubjectKind, readonly Subject[]> {
  const tenders = new Set<string>()
  const deliveries = new Set<string>()
  for (const event of events) {
    if ('tokenId' in event.args && event.args.tokenId !== undefined)
      tenders.add(`${task.toLowerCase()}/${event.args.tokenId}`)
    if (event.eventName === 'FulfillmentSubmitted' && isAddressEqual(event.args.fulfiller, agent))
      deliveries.add(`${task.toLowerCase()}/${event.args.tokenId}/${event.args.submissionId}`)
  }
  const listed = (names: ReadonlySet<string>): readonly Subject[] => [...names].map((id) => ({ id, detail: {} }))
  return new Map([
    ['tender', listed(tenders)],
    ['delivery', listed(deliveries)],
  ])
}
