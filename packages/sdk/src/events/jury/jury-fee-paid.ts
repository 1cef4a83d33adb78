import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** Each of those who voted on an accepted delivery is owed `share`. */
export type JuryFeePaidEvent = ContractEvent<typeof juryPanelAbi, 'FeePaid'>

const event = defineJuryEvent('FeePaid')

/** One page of the FeePaid events of a jury. */
export const listJuryFeePaid = event.list

/** Follows the FeePaid events of a jury. Returns a function that ends it. */
export const watchJuryFeePaid = event.watch
