import type { bondedGateAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineGateEvent } from './define-gate-event.ts'

/** What a desk had earned left it. */
export type EarningsCollectedEvent = ContractEvent<typeof bondedGateAbi, 'Collected'>

const event = defineGateEvent('Collected')

/** One page of the Collected events of a bonded gate. */
export const listEarningsCollected = event.list

/** Follows the Collected events of a bonded gate. Returns a function that ends it. */
export const watchEarningsCollected = event.watch
