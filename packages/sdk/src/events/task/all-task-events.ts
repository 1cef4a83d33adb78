import { taskTokenAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import type { ContractTarget } from '../../actions/target.ts'
import { type BlockRange, type EventPage, listEvents } from '../list-events.ts'
import { type WatchParameters, watchEvents } from '../watch-events.ts'
import type { AnyTaskEvent } from './define-task-event.ts'

/** A task contract, or one tender of it. */
type Target = ContractTarget & {
  /** Only events of this tender; they are picked here, since not every event indexes it in the same place. */
  tokenId?: bigint
}

/** Parameters of {@link listTaskEvents}. */
export type ListTaskEventsParameters = Target & BlockRange

/** Parameters of {@link watchTaskEvents}. */
export type WatchTaskEventsParameters = Target & WatchParameters<AnyTaskEvent>

/** One page of all events of a task contract or of one tender, in the order of the chain. Throws WrongChainError, RpcError. */
export async function listTaskEvents(
  client: Client,
  parameters: ListTaskEventsParameters,
): Promise<EventPage<AnyTaskEvent>> {
  const page = await listEvents(client, { abi: taskTokenAbi, address: parameters.task }, parameters)
  return { ...page, events: page.events.filter((event) => concerns(event, parameters.tokenId)) }
}

/** Follows all events of a task contract or of one tender. Returns a function that ends it. */
export function watchTaskEvents(client: Client, parameters: WatchTaskEventsParameters): () => void {
  const onEvents = (events: AnyTaskEvent[]): void => {
    const own = events.filter((event) => concerns(event, parameters.tokenId))
    if (own.length > 0) parameters.onEvents(own)
  }
  return watchEvents(client, { abi: taskTokenAbi, address: parameters.task }, { ...parameters, onEvents })
}

function concerns(event: AnyTaskEvent, tokenId: bigint | undefined): boolean {
  return tokenId === undefined || ('tokenId' in event.args && event.args.tokenId === tokenId)
}
