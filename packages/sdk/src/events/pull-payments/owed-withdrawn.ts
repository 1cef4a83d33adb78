import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineOwingEvent } from './define-owing-event.ts'

/** A companion paid what it owed; `asset` is zero for the native currency. */
export type OwedWithdrawnEvent = ContractEvent<typeof juryPanelAbi, 'Withdrawn'>

const event = defineOwingEvent('Withdrawn')

/** One page of the Withdrawn events of a companion. */
export const listOwedWithdrawn = event.list

/** Follows the Withdrawn events of a companion. Returns a function that ends it. */
export const watchOwedWithdrawn = event.watch
