import type { bondedGateAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineGateEvent } from './define-gate-event.ts'

/** The bond of a decided delivery was given to whoever gets it; `lost` went to the beneficiary. */
export type BondSettledEvent = ContractEvent<typeof bondedGateAbi, 'BondSettled'>

const event = defineGateEvent('BondSettled')

/** One page of the BondSettled events of a bonded gate. */
export const listBondSettled = event.list

/** Follows the BondSettled events of a bonded gate. Returns a function that ends it. */
export const watchBondSettled = event.watch
