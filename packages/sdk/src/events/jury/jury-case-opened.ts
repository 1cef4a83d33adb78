import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** The first vote on a delivery; `deadline` is the last second in which jurors vote. */
export type JuryCaseOpenedEvent = ContractEvent<typeof juryPanelAbi, 'CaseOpened'>

const event = defineJuryEvent('CaseOpened')

/** One page of the CaseOpened events of a jury. */
export const listJuryCaseOpened = event.list

/** Follows the CaseOpened events of a jury. Returns a function that ends it. */
export const watchJuryCaseOpened = event.watch
