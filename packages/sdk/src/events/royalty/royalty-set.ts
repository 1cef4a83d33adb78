import type { tenderRoyaltyAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineRoyaltyEvent } from './define-royalty-event.ts'

/** The royalty on a tender was set, lowered or passed on. */
export type RoyaltySetEvent = ContractEvent<typeof tenderRoyaltyAbi, 'RoyaltySet'>

const event = defineRoyaltyEvent('RoyaltySet')

/** One page of the RoyaltySet events of a royalty contract. */
export const listRoyaltySet = event.list

/** Follows the RoyaltySet events of a royalty contract. Returns a function that ends it. */
export const watchRoyaltySet = event.watch
