import type { splitterAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineSplitterEvent } from './define-splitter-event.ts'

/** A member delivered in the name of the team. */
export type TeamDeliveredEvent = ContractEvent<typeof splitterAbi, 'Delivered'>

const event = defineSplitterEvent('Delivered')

/** One page of the Delivered events of a splitter. */
export const listTeamDelivered = event.list

/** Follows the Delivered events of a splitter. Returns a function that ends it. */
export const watchTeamDelivered = event.watch
