import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** Somebody paid into the escrow of the fees of a tender. */
export type JuryFeeFundedEvent = ContractEvent<typeof juryPanelAbi, 'FeeFunded'>

const event = defineJuryEvent('FeeFunded')

/** One page of the FeeFunded events of a jury. */
export const listJuryFeeFunded = event.list

/** Follows the FeeFunded events of a jury. Returns a function that ends it. */
export const watchJuryFeeFunded = event.watch
