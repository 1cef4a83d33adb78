import { attestedValuationAbi } from '@oikos/core/abi'
import type { ContractEventName } from 'viem'
import type { ValuationTarget } from '../../actions/valuation/target.ts'
import type { ContractEvent, EventFilter } from '../contract-event.ts'
import { defineEvent, type EventActions, indexedArguments } from '../define-event.ts'

/** Name of an event of an attested valuation. */
export type AttestedValuationEventName = ContractEventName<typeof attestedValuationAbi>

/** One event of an attested valuation. */
export type AttestedValuationEvent<name extends AttestedValuationEventName> = ContractEvent<
  typeof attestedValuationAbi,
  name
>

/** The contract, and values that the event's indexed arguments must have. */
export type AttestedValuationEventTarget<name extends AttestedValuationEventName> = ValuationTarget &
  EventFilter<typeof attestedValuationAbi, name>

/** Listing and following one event of an attested valuation. */
export function defineAttestedValuationEvent<name extends AttestedValuationEventName>(
  eventName: name,
): EventActions<AttestedValuationEventTarget<name>, AttestedValuationEvent<name>> {
  return defineEvent({
    abi: attestedValuationAbi,
    eventName,
    emitter: (target: AttestedValuationEventTarget<name>) => target.valuation,
    filter: (target) => indexedArguments(attestedValuationAbi, eventName, target as Readonly<Record<string, unknown>>),
  })
}
