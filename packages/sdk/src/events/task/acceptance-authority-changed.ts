import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** The judgment slot passed on; from the zero address with the mint. */
export type AcceptanceAuthorityChangedEvent = TaskEvent<'AcceptanceAuthorityChanged'>

const event = defineTaskEvent('AcceptanceAuthorityChanged')

/** One page of the AcceptanceAuthorityChanged events of a task contract, which may be narrowed by the indexed arguments. */
export const listAcceptanceAuthorityChanged = event.list

/** Follows the AcceptanceAuthorityChanged events of a task contract. Returns a function that ends it. */
export const watchAcceptanceAuthorityChanged = event.watch
