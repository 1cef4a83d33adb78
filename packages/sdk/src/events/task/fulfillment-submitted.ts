import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** Work was delivered. */
export type FulfillmentSubmittedEvent = TaskEvent<'FulfillmentSubmitted'>

const event = defineTaskEvent('FulfillmentSubmitted')

/** One page of the FulfillmentSubmitted events of a task contract, which may be narrowed by the indexed arguments. */
export const listFulfillmentSubmitted = event.list

/** Follows the FulfillmentSubmitted events of a task contract. Returns a function that ends it. */
export const watchFulfillmentSubmitted = event.watch
