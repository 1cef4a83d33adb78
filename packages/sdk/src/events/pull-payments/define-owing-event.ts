import { juryPanelAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import type { ContractEvent } from '../contract-event.ts'
import { defineCompanionEvent } from '../define-companion-event.ts'
import type { EventActions } from '../define-event.ts'

/** A companion that holds money, and on request only the payments in one asset or of one account. */
export type OwingEventTarget = { companion: Address; chainId?: number; asset?: Address; account?: Address }

/** Listing and following one event of a companion that holds money; they all declare the same. */
export function defineOwingEvent<const name extends 'Withdrawn'>(
  eventName: name,
): EventActions<OwingEventTarget, ContractEvent<typeof juryPanelAbi, name>> {
  return defineCompanionEvent(juryPanelAbi, eventName, ({ companion }: OwingEventTarget) => companion)
}
