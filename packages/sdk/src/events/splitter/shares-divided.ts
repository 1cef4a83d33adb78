import type { splitterAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineSplitterEvent } from './define-splitter-event.ts'

/** What a team had been paid was written on the accounts of its members. */
export type SharesDividedEvent = ContractEvent<typeof splitterAbi, 'Divided'>

const event = defineSplitterEvent('Divided')

/** One page of the Divided events of a splitter. */
export const listSharesDivided = event.list

/** Follows the Divided events of a splitter. Returns a function that ends it. */
export const watchSharesDivided = event.watch
