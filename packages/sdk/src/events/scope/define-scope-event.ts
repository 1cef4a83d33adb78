import { scopeAbi } from '@oikos/core/abi'
import type { ContractEventName } from 'viem'
import type { ScopeContractTarget } from '../../actions/scope/target.ts'
import type { ContractEvent, EventFilter } from '../contract-event.ts'
import { defineEvent, type EventActions, indexedArguments } from '../define-event.ts'

/** Name of an event of a Scope. */
export type ScopeEventName = ContractEventName<typeof scopeAbi>

/** One event of a Scope. */
export type ScopeEvent<name extends ScopeEventName> = ContractEvent<typeof scopeAbi, name>

/** Any event of a Scope; `eventName` tells which. */
export type AnyScopeEvent = ScopeEvent<ScopeEventName>

/** The contract, and values that the event's indexed arguments must have. */
export type ScopeEventTarget<name extends ScopeEventName> = ScopeContractTarget & EventFilter<typeof scopeAbi, name>

/** Listing and following one event of a Scope. */
export function defineScopeEvent<name extends ScopeEventName>(
  eventName: name,
): EventActions<ScopeEventTarget<name>, ScopeEvent<name>> {
  return defineEvent({
    abi: scopeAbi,
    eventName,
    emitter: (target: ScopeEventTarget<name>) => target.scope,
    filter: (target) => indexedArguments(scopeAbi, eventName, target as Readonly<Record<string, unknown>>),
  })
}
