import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A tender was ended by its update authority. */
export type TenderCancelledEvent = TaskEvent<'TenderCancelled'>

const event = defineTaskEvent('TenderCancelled')

/** One page of the TenderCancelled events of a task contract, which may be narrowed by the indexed arguments. */
export const listTenderCancelled = event.list

/** Follows the TenderCancelled events of a task contract. Returns a function that ends it. */
export const watchTenderCancelled = event.watch
