import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** A verdict has had its effect. */
export type VerdictExecutedEvent = ContractEvent<typeof juryPanelAbi, 'VerdictExecuted'>

const event = defineJuryEvent('VerdictExecuted')

/** One page of the VerdictExecuted events of a jury. */
export const listVerdictExecuted = event.list

/** Follows the VerdictExecuted events of a jury. Returns a function that ends it. */
export const watchVerdictExecuted = event.watch
