import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A delivery on which nobody ruled was claimed; `deadline` is when its window ended. */
export type FulfillmentClaimedUnjudgedEvent = TaskEvent<'FulfillmentClaimedUnjudged'>

const event = defineTaskEvent('FulfillmentClaimedUnjudged')

/** One page of the FulfillmentClaimedUnjudged events of a task contract, which may be narrowed by the indexed arguments. */
export const listFulfillmentClaimedUnjudged = event.list

/** Follows the FulfillmentClaimedUnjudged events of a task contract. Returns a function that ends it. */
export const watchFulfillmentClaimedUnjudged = event.watch
