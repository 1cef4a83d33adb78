import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A delivery to a verifier that nobody proved was ended; `deadline` is when its window ended. */
export type SubmissionReleasedEvent = TaskEvent<'SubmissionReleased'>

const event = defineTaskEvent('SubmissionReleased')

/** One page of the SubmissionReleased events of a task contract, which may be narrowed by the indexed arguments. */
export const listSubmissionReleased = event.list

/** Follows the SubmissionReleased events of a task contract. Returns a function that ends it. */
export const watchSubmissionReleased = event.watch
