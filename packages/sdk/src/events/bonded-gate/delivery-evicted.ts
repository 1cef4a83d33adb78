import type { bondedGateAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineGateEvent } from './define-gate-event.ts'

/** A delivery without a bond was refused. */
export type DeliveryEvictedEvent = ContractEvent<typeof bondedGateAbi, 'Evicted'>

const event = defineGateEvent('Evicted')

/** One page of the Evicted events of a bonded gate. */
export const listDeliveryEvicted = event.list

/** Follows the Evicted events of a bonded gate. Returns a function that ends it. */
export const watchDeliveryEvicted = event.watch
