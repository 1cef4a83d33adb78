import { tenderRoyaltyAbi } from '@oikos/core/abi'
import type { Address, ContractEventName } from 'viem'
import type { ContractEvent } from '../contract-event.ts'
import { defineCompanionEvent } from '../define-companion-event.ts'
import type { EventActions } from '../define-event.ts'

/** A royalty contract, and on request only the events of one tender or receiver. */
export type RoyaltyEventTarget = {
  royalty: Address
  chainId?: number
  tokenId?: bigint
  receiver?: Address
}

/** Listing and following one event of a royalty contract. */
export function defineRoyaltyEvent<const name extends ContractEventName<typeof tenderRoyaltyAbi>>(
  eventName: name,
): EventActions<RoyaltyEventTarget, ContractEvent<typeof tenderRoyaltyAbi, name>> {
  return defineCompanionEvent(tenderRoyaltyAbi, eventName, ({ royalty }: RoyaltyEventTarget) => royalty)
}
