import type { juryPanelAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineJuryEvent } from './define-jury-event.ts'

/** An acceptance waits, because the task contract did not take it. */
export type VerdictKeptEvent = ContractEvent<typeof juryPanelAbi, 'VerdictKept'>

const event = defineJuryEvent('VerdictKept')

/** One page of the VerdictKept events of a jury. */
export const listVerdictKept = event.list

/** Follows the VerdictKept events of a jury. Returns a function that ends it. */
export const watchVerdictKept = event.watch
