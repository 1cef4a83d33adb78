import type { Abi, Client, ContractEventName } from 'viem'
import { latestBlockNumber } from '../actions/block.ts'
import type { OikosError } from '../errors/oikos-error.ts'
import { toOikosError } from '../errors/to-oikos-error.ts'
import type { ContractEvent } from './contract-event.ts'
import { type EventPage, type LogQuery, listEvents } from './list-events.ts'

/** How events are followed. */
export type WatchParameters<event> = {
  /** First block, inclusive. Default: the block after the latest. */
  fromBlock?: bigint
  /** Blocks that must lie on top of an event's block before it is reported. Default 0; a reorganisation can undo those. */
  confirmations?: number
  /** Default: the polling interval of the client. */
  pollingIntervalMs?: number
  /** Gets events in the order of the chain, at least one at a time, each once. */
  onEvents: (events: event[]) => void
  /** Told of a failed poll, which is repeated at the next interval, and of an error that `onEvents` threw. */
  onError?: (error: OikosError) => void
}

/**
 * Follows events without a gap: a poll continues after the last block that was read, and a poll that fails is repeated.
 * @returns a function that ends it; nothing is reported after it was called
 */
export function watchEvents<const abi extends Abi>(
  client: Client,
  query: LogQuery<abi>,
  parameters: WatchParameters<ContractEvent<abi, ContractEventName<abi>>> & { chainId?: number },
): () => void {
  const { confirmations = 0, pollingIntervalMs = client.pollingInterval } = parameters
  const chain = parameters.chainId === undefined ? {} : { chainId: parameters.chainId }
  let next = parameters.fromBlock
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const poll = async (): Promise<void> => {
    const safe = (await latestBlockNumber(client)) - BigInt(confirmations)
    let fromBlock = next ?? safe + 1n
    next = fromBlock
    while (!stopped && fromBlock <= safe) {
      const page: EventPage<ContractEvent<abi, ContractEventName<abi>>> = await listEvents(client, query, {
        ...chain,
        fromBlock,
        toBlock: safe,
      })
      // a node behind the one that told the latest block: the next poll goes on from here
      if (stopped || page.toBlock < fromBlock) return
      fromBlock = page.toBlock + 1n
      next = fromBlock
      if (page.events.length > 0) parameters.onEvents(page.events)
    }
  }
  const loop = async (): Promise<void> => {
    try {
      await poll()
    } catch (error) {
      if (!stopped) parameters.onError?.(toOikosError(error))
    }
    if (!stopped) timer = setTimeout(loop, pollingIntervalMs)
  }
  void loop()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
