import { fundingRouterAbi } from '@oikos/core/abi'
import type { Address, ContractEventName } from 'viem'
import type { ContractEvent } from '../contract-event.ts'
import { defineCompanionEvent } from '../define-companion-event.ts'
import type { EventActions } from '../define-event.ts'

/** A funding router, and on request only the events of one task contract, tender or funder. */
export type RouterEventTarget = {
  router: Address
  chainId?: number
  task?: Address
  tokenId?: bigint
  funder?: Address
}

/** Listing and following one event of a funding router. */
export function defineRouterEvent<const name extends ContractEventName<typeof fundingRouterAbi>>(
  eventName: name,
): EventActions<RouterEventTarget, ContractEvent<typeof fundingRouterAbi, name>> {
  return defineCompanionEvent(fundingRouterAbi, eventName, ({ router }: RouterEventTarget) => router)
}
