import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A version of a task was bound; version 1 with the mint. */
export type TaskUpdatedEvent = TaskEvent<'TaskUpdated'>

const event = defineTaskEvent('TaskUpdated')

/** One page of the TaskUpdated events of a task contract, which may be narrowed by the indexed arguments. */
export const listTaskUpdated = event.list

/** Follows the TaskUpdated events of a task contract. Returns a function that ends it. */
export const watchTaskUpdated = event.watch
