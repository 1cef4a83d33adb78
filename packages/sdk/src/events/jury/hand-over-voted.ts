import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** A juror voted for handing the judgment slot over, or took such a vote back. */
export type HandOverVotedEvent = ContractEvent<typeof juryPanelAbi, 'HandOverVoted'>

const event = defineJuryEvent('HandOverVoted')

/** One page of the HandOverVoted events of a jury. */
export const listHandOverVoted = event.list

/** Follows the HandOverVoted events of a jury. Returns a function that ends it. */
export const watchHandOverVoted = event.watch
