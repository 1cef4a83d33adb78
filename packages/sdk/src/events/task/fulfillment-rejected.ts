import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A delivery was rejected, by the judge or because nobody proved it in time. */
export type FulfillmentRejectedEvent = TaskEvent<'FulfillmentRejected'>

const event = defineTaskEvent('FulfillmentRejected')

/** One page of the FulfillmentRejected events of a task contract, which may be narrowed by the indexed arguments. */
export const listFulfillmentRejected = event.list

/** Follows the FulfillmentRejected events of a task contract. Returns a function that ends it. */
export const watchFulfillmentRejected = event.watch
