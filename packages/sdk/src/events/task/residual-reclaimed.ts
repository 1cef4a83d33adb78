import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** An owner took what belonged to nobody else. */
export type ResidualReclaimedEvent = TaskEvent<'ResidualReclaimed'>

const event = defineTaskEvent('ResidualReclaimed')

/** One page of the ResidualReclaimed events of a task contract, which may be narrowed by the indexed arguments. */
export const listResidualReclaimed = event.list

/** Follows the ResidualReclaimed events of a task contract. Returns a function that ends it. */
export const watchResidualReclaimed = event.watch
