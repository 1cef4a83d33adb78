import { agentAbi } from '@oikos/core/abi'
import type { ContractEventName } from 'viem'
import type { AgentTarget } from '../../actions/agent/target.ts'
import type { ContractEvent, EventFilter } from '../contract-event.ts'
import { defineEvent, type EventActions, indexedArguments } from '../define-event.ts'

/** Name of an event of an Agent. */
export type AgentEventName = ContractEventName<typeof agentAbi>

/** One event of an Agent. */
export type AgentEvent<name extends AgentEventName> = ContractEvent<typeof agentAbi, name>

/** Any event of an Agent; `eventName` tells which. */
export type AnyAgentEvent = AgentEvent<AgentEventName>

/** The contract, and values that the event's indexed arguments must have. */
export type AgentEventTarget<name extends AgentEventName> = AgentTarget & EventFilter<typeof agentAbi, name>

/** Listing and following one event of an Agent. */
export function defineAgentEvent<name extends AgentEventName>(
  eventName: name,
): EventActions<AgentEventTarget<name>, AgentEvent<name>> {
  return defineEvent({
    abi: agentAbi,
    eventName,
    emitter: (target: AgentEventTarget<name>) => target.agent,
    filter: (target) => indexedArguments(agentAbi, eventName, target as Readonly<Record<string, unknown>>),
  })
}
