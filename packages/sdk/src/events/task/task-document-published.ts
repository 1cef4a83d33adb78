import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A primary document was put on the chain. */
export type TaskDocumentPublishedEvent = TaskEvent<'TaskDocumentPublished'>

const event = defineTaskEvent('TaskDocumentPublished')

/** One page of the TaskDocumentPublished events of a task contract, which may be narrowed by the indexed arguments. */
export const listTaskDocumentPublished = event.list

/** Follows the TaskDocumentPublished events of a task contract. Returns a function that ends it. */
export const watchTaskDocumentPublished = event.watch
