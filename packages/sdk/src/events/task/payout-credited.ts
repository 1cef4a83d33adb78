import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A reward could not be delivered and is owed. */
export type PayoutCreditedEvent = TaskEvent<'PayoutCredited'>

const event = defineTaskEvent('PayoutCredited')

/** One page of the PayoutCredited events of a task contract, which may be narrowed by the indexed arguments. */
export const listPayoutCredited = event.list

/** Follows the PayoutCredited events of a task contract. Returns a function that ends it. */
export const watchPayoutCredited = event.watch
