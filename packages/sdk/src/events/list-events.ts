import type { Abi, AbiEvent, Address, Client, ContractEventName, Log } from 'viem'
import { iterateLogs } from 'viem/actions'
import { latestBlockNumber } from '../actions/block.ts'
import { assertChain } from '../actions/target.ts'
import { toOikosError } from '../errors/to-oikos-error.ts'
import { type ContractEvent, decodeEvents } from './contract-event.ts'

/** Blocks asked for at once: the smallest limit that large public providers document. A node that refuses gets halves. */
export const MAX_BLOCKS_PER_REQUEST = 1_000n

/** Requests that one page makes at most, each for up to {@link MAX_BLOCKS_PER_REQUEST} blocks. */
export const MAX_REQUESTS_PER_PAGE = 50

/** Events after which a page ends early; the block range that passes it is still given whole. */
export const MAX_EVENTS_PER_PAGE = 5_000

/** Which blocks a listing covers. */
export type BlockRange = {
  /** First block, inclusive. The block in which the contract was deployed is early enough. */
  fromBlock: bigint
  /** Last block, inclusive. Default, and at most: the latest when the call is made. */
  toBlock?: bigint
}

/** Events of a range of blocks, in the order of the chain. */
export type EventPage<event> = {
  events: event[]
  /** Last block that this page covers; before `fromBlock` when the chain has not come that far. */
  toBlock: bigint
  /** Where the next page begins; absent when the range is covered. */
  nextFromBlock?: bigint
}

/** One question about logs. */
export type LogQuery<abi extends Abi> = {
  abi: abi
  address: Address
  /** One event that may be narrowed by indexed arguments, or absent for all of the ABI. */
  eventName?: ContractEventName<abi>
  args?: Readonly<Record<string, unknown>>
}

/** The logs of a range, page by page, narrowed by the node. */
function iterateQuery<abi extends Abi>(
  client: Client,
  query: LogQuery<abi>,
  fromBlock: bigint,
  toBlock: bigint,
): AsyncGenerator<{ logs: Log[]; toBlock: bigint }> {
  const all = query.abi.filter((item): item is AbiEvent => item.type === 'event')
  const event = all.find(({ name }) => name === query.eventName)
  const what = event === undefined ? { events: all } : { event, args: query.args }
  const where = { address: query.address, fromBlock, toBlock, blockRange: MAX_BLOCKS_PER_REQUEST }
  return iterateLogs(client, { ...where, ...what } as never) as unknown as AsyncGenerator<{
    logs: Log[]
    toBlock: bigint
  }>
}

/**
 * One page of events, bounded by {@link MAX_REQUESTS_PER_PAGE} and {@link MAX_EVENTS_PER_PAGE}.
 * @throws WrongChainError, RpcError
 */
export async function listEvents<const abi extends Abi>(
  client: Client,
  query: LogQuery<abi>,
  range: BlockRange & { chainId?: number },
): Promise<EventPage<ContractEvent<abi, ContractEventName<abi>>>> {
  await assertChain(client, range.chainId)
  // nodes differ in what they answer about blocks that do not exist yet, so they are not asked
  const latest = await latestBlockNumber(client)
  const end = range.toBlock === undefined || range.toBlock > latest ? latest : range.toBlock
  const page: EventPage<ContractEvent<abi, ContractEventName<abi>>> = { events: [], toBlock: end }
  let requests = 0
  try {
    for await (const { logs, toBlock } of iterateQuery(client, query, range.fromBlock, end)) {
      for (const event of decodeEvents(query.abi, query.address, logs)) page.events.push(event)
      requests += 1
      if (toBlock < end && (requests >= MAX_REQUESTS_PER_PAGE || page.events.length >= MAX_EVENTS_PER_PAGE)) {
        return { ...page, toBlock, nextFromBlock: toBlock + 1n }
      }
    }
  } catch (error) {
    throw toOikosError(error, { contract: query.address })
  }
  return page
}
