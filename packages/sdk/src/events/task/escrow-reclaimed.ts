import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A funder took its share back. */
export type EscrowReclaimedEvent = TaskEvent<'EscrowReclaimed'>

const event = defineTaskEvent('EscrowReclaimed')

/** One page of the EscrowReclaimed events of a task contract, which may be narrowed by the indexed arguments. */
export const listEscrowReclaimed = event.list

/** Follows the EscrowReclaimed events of a task contract. Returns a function that ends it. */
export const watchEscrowReclaimed = event.watch
