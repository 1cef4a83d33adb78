import { erc4626ValuationAbi } from '@oikos/core/abi'
import type { ContractEventName } from 'viem'
import type { ValuationTarget } from '../../actions/valuation/target.ts'
import type { ContractEvent, EventFilter } from '../contract-event.ts'
import { defineEvent, type EventActions, indexedArguments } from '../define-event.ts'

/** Name of an event of an ERC-4626 valuation. */
export type VaultValuationEventName = ContractEventName<typeof erc4626ValuationAbi>

/** One event of an ERC-4626 valuation. */
export type VaultValuationEvent<name extends VaultValuationEventName> = ContractEvent<typeof erc4626ValuationAbi, name>

/** The contract, and values that the event's indexed arguments must have. */
export type VaultValuationEventTarget<name extends VaultValuationEventName> = ValuationTarget &
  EventFilter<typeof erc4626ValuationAbi, name>

/** Listing and following one event of an ERC-4626 valuation. */
export function defineVaultValuationEvent<name extends VaultValuationEventName>(
  eventName: name,
): EventActions<VaultValuationEventTarget<name>, VaultValuationEvent<name>> {
  return defineEvent({
    abi: erc4626ValuationAbi,
    eventName,
    emitter: (target: VaultValuationEventTarget<name>) => target.valuation,
    filter: (target) => indexedArguments(erc4626ValuationAbi, eventName, target as Readonly<Record<string, unknown>>),
  })
}
