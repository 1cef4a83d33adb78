import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** Money was put into a vault; `escrowBalance` is its balance after. */
export type TenderFundedEvent = TaskEvent<'TenderFunded'>

const event = defineTaskEvent('TenderFunded')

/** One page of the TenderFunded events of a task contract, which may be narrowed by the indexed arguments. */
export const listTenderFunded = event.list

/** Follows the TenderFunded events of a task contract. Returns a function that ends it. */
export const watchTenderFunded = event.watch
