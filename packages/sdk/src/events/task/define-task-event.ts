import { taskTokenAbi } from '@oikos/core/abi'
import type { ContractEventName } from 'viem'
import type { ContractTarget } from '../../actions/target.ts'
import type { ContractEvent, EventFilter } from '../contract-event.ts'
import { defineEvent, type EventActions, indexedArguments } from '../define-event.ts'

/** Name of an event of a task contract. */
export type TaskEventName = ContractEventName<typeof taskTokenAbi>

/** One event of a task contract. */
export type TaskEvent<name extends TaskEventName> = ContractEvent<typeof taskTokenAbi, name>

/** Any event of a task contract; `eventName` tells which. */
export type AnyTaskEvent = TaskEvent<TaskEventName>

/** A task contract, and values that the event's indexed arguments must have. */
export type TaskEventTarget<name extends TaskEventName> = ContractTarget & EventFilter<typeof taskTokenAbi, name>

/** Listing and following one event of a task contract. */
export function defineTaskEvent<name extends TaskEventName>(
  eventName: name,
): EventActions<TaskEventTarget<name>, TaskEvent<name>> {
  return defineEvent({
    abi: taskTokenAbi,
    eventName,
    emitter: (target: TaskEventTarget<name>) => target.task,
    filter: (target) => indexedArguments(taskTokenAbi, eventName, target as Readonly<Record<string, unknown>>),
  })
}
