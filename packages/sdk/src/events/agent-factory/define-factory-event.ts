import { agentFactoryAbi } from '@oikos/core/abi'
import type { ContractEventName } from 'viem'
import type { FactoryTarget } from '../../actions/agent-factory/target.ts'
import type { ContractEvent, EventFilter } from '../contract-event.ts'
import { defineEvent, type EventActions, indexedArguments } from '../define-event.ts'

/** Name of an event of a factory. */
export type FactoryEventName = ContractEventName<typeof agentFactoryAbi>

/** One event of a factory. */
export type FactoryEvent<name extends FactoryEventName> = ContractEvent<typeof agentFactoryAbi, name>

/** The contract, and values that the event's indexed arguments must have. */
export type FactoryEventTarget<name extends FactoryEventName> = FactoryTarget &
  EventFilter<typeof agentFactoryAbi, name>

/** Listing and following one event of a factory. */
export function defineFactoryEvent<name extends FactoryEventName>(
  eventName: name,
): EventActions<FactoryEventTarget<name>, FactoryEvent<name>> {
  return defineEvent({
    abi: agentFactoryAbi,
    eventName,
    emitter: (target: FactoryEventTarget<name>) => target.factory,
    filter: (target) => indexedArguments(agentFactoryAbi, eventName, target as Readonly<Record<string, unknown>>),
  })
}
