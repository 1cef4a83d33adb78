import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A delivery was accepted; `reward` is what it earned, also where it had to be credited. */
export type FulfillmentAcceptedEvent = TaskEvent<'FulfillmentAccepted'>

const event = defineTaskEvent('FulfillmentAccepted')

/** One page of the FulfillmentAccepted events of a task contract, which may be narrowed by the indexed arguments. */
export const listFulfillmentAccepted = event.list

/** Follows the FulfillmentAccepted events of a task contract. Returns a function that ends it. */
export const watchFulfillmentAccepted = event.watch
