import { scopeAbi } from '@oikos/core/abi'
import { type Client, isAddressEqual } from 'viem'
import type { ScopeTarget } from '../../actions/scope/target.ts'
import { type BlockRange, type EventPage, listEvents } from '../list-events.ts'
import { type WatchParameters, watchEvents } from '../watch-events.ts'
import type { AnyScopeEvent } from './define-scope-event.ts'

/** Parameters of {@link listScopeEvents}. */
export type ListScopeEventsParameters = ScopeTarget & BlockRange

/** Parameters of {@link watchScopeEvents}. */
export type WatchScopeEventsParameters = ScopeTarget & WatchParameters<AnyScopeEvent>

/** One page of everything that happened to the boundary of one Agent, in the order of the chain. Throws WrongChainError, RpcError. */
export async function listScopeEvents(
  client: Client,
  parameters: ListScopeEventsParameters,
): Promise<EventPage<AnyScopeEvent>> {
  const page = await listEvents(client, query(parameters), parameters)
  return { ...page, events: page.events.filter((event) => concerns(event, parameters)) }
}

/** Follows everything that happens to the boundary of one Agent. Returns a function that ends it. */
export function watchScopeEvents(client: Client, parameters: WatchScopeEventsParameters): () => void {
  const onEvents = (events: AnyScopeEvent[]): void => {
    const own = events.filter((event) => concerns(event, parameters))
    if (own.length > 0) parameters.onEvents(own)
  }
  return watchEvents(client, query(parameters), { ...parameters, onEvents })
}

/** All events of the Scope; they are picked here by Agent, since a node narrows one event only. */
function query({ scope }: ScopeTarget) {
  return { abi: scopeAbi, address: scope }
}

function concerns(event: AnyScopeEvent, { agent }: ScopeTarget): boolean {
  return isAddressEqual(event.args.agent, agent)
}
