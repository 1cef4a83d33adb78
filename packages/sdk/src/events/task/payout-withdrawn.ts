import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A credit was paid out. */
export type PayoutWithdrawnEvent = TaskEvent<'PayoutWithdrawn'>

const event = defineTaskEvent('PayoutWithdrawn')

/** One page of the PayoutWithdrawn events of a task contract, which may be narrowed by the indexed arguments. */
export const listPayoutWithdrawn = event.list

/** Follows the PayoutWithdrawn events of a task contract. Returns a function that ends it. */
export const watchPayoutWithdrawn = event.watch
