import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** What was left of the fees of a tender went to who promised them. */
export type JuryFeeReturnedEvent = ContractEvent<typeof juryPanelAbi, 'FeeReturned'>

const event = defineJuryEvent('FeeReturned')

/** One page of the FeeReturned events of a jury. */
export const listJuryFeeReturned = event.list

/** Follows the FeeReturned events of a jury. Returns a function that ends it. */
export const watchJuryFeeReturned = event.watch
