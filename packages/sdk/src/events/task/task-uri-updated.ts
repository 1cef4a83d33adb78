import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** The transport hint of a task was set. */
export type TaskURIUpdatedEvent = TaskEvent<'TaskURIUpdated'>

const event = defineTaskEvent('TaskURIUpdated')

/** One page of the TaskURIUpdated events of a task contract, which may be narrowed by the indexed arguments. */
export const listTaskURIUpdated = event.list

/** Follows the TaskURIUpdated events of a task contract. Returns a function that ends it. */
export const watchTaskURIUpdated = event.watch
