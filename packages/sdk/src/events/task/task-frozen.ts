import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** The content of a task was frozen for ever. */
export type TaskFrozenEvent = TaskEvent<'TaskFrozen'>

const event = defineTaskEvent('TaskFrozen')

/** One page of the TaskFrozen events of a task contract, which may be narrowed by the indexed arguments. */
export const listTaskFrozen = event.list

/** Follows the TaskFrozen events of a task contract. Returns a function that ends it. */
export const watchTaskFrozen = event.watch
