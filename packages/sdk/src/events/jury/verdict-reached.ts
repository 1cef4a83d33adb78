import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** A jury has decided; `verdict` is 1 for accepted, 2 for refused. */
export type VerdictReachedEvent = ContractEvent<typeof juryPanelAbi, 'VerdictReached'>

const event = defineJuryEvent('VerdictReached')

/** One page of the VerdictReached events of a jury. */
export const listVerdictReached = event.list

/** Follows the VerdictReached events of a jury. Returns a function that ends it. */
export const watchVerdictReached = event.watch
