import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** Publication passed on; from the zero address with the mint. */
export type TaskUpdateAuthorityChangedEvent = TaskEvent<'TaskUpdateAuthorityChanged'>

const event = defineTaskEvent('TaskUpdateAuthorityChanged')

/** One page of the TaskUpdateAuthorityChanged events of a task contract, which may be narrowed by the indexed arguments. */
export const listTaskUpdateAuthorityChanged = event.list

/** Follows the TaskUpdateAuthorityChanged events of a task contract. Returns a function that ends it. */
export const watchTaskUpdateAuthorityChanged = event.watch
