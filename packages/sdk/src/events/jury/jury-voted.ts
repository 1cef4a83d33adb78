import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** A juror voted on a delivery. */
export type JuryVotedEvent = ContractEvent<typeof juryPanelAbi, 'Voted'>

const event = defineJuryEvent('Voted')

/** One page of the Voted events of a jury. */
export const listJuryVoted = event.list

/** Follows the Voted events of a jury. Returns a function that ends it. */
export const watchJuryVoted = event.watch
