import type { bondedGateAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineGateEvent } from './define-gate-event.ts'

/** A delivery was made with a bond; `desk` is its fulfiller of record. */
export type BondedEvent = ContractEvent<typeof bondedGateAbi, 'Bonded'>

const event = defineGateEvent('Bonded')

/** One page of the Bonded events of a bonded gate. */
export const listBonded = event.list

/** Follows the Bonded events of a bonded gate. Returns a function that ends it. */
export const watchBonded = event.watch
