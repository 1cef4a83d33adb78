import { agentAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import type { AgentTarget } from '../../actions/agent/target.ts'
import { type BlockRange, type EventPage, listEvents } from '../list-events.ts'
import { type WatchParameters, watchEvents } from '../watch-events.ts'
import type { AnyAgentEvent } from './define-agent-event.ts'

/** Parameters of {@link listAgentEvents}. */
export type ListAgentEventsParameters = AgentTarget & BlockRange

/** Parameters of {@link watchAgentEvents}. */
export type WatchAgentEventsParameters = AgentTarget & WatchParameters<AnyAgentEvent>

/** One page of all events of an Agent, in the order of the chain. Throws WrongChainError, RpcError. */
export function listAgentEvents(
  client: Client,
  parameters: ListAgentEventsParameters,
): Promise<EventPage<AnyAgentEvent>> {
  return listEvents(client, { abi: agentAbi, address: parameters.agent }, parameters)
}

/** Follows all events of an Agent. Returns a function that ends it. */
export function watchAgentEvents(client: Client, parameters: WatchAgentEventsParameters): () => void {
  return watchEvents(client, { abi: agentAbi, address: parameters.agent }, parameters)
}
