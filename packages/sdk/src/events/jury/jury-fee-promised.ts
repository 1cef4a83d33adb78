import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** A publisher promised the jurors a fee for each accepted delivery. */
export type JuryFeePromisedEvent = ContractEvent<typeof juryPanelAbi, 'FeePromised'>

const event = defineJuryEvent('FeePromised')

/** One page of the FeePromised events of a jury. */
export const listJuryFeePromised = event.list

/** Follows the FeePromised events of a jury. Returns a function that ends it. */
export const watchJuryFeePromised = event.watch
