import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** An owner took an asset that was sent to the vault by mistake. */
export type ForeignReclaimedEvent = TaskEvent<'ForeignReclaimed'>

const event = defineTaskEvent('ForeignReclaimed')

/** One page of the ForeignReclaimed events of a task contract, which may be narrowed by the indexed arguments. */
export const listForeignReclaimed = event.list

/** Follows the ForeignReclaimed events of a task contract. Returns a function that ends it. */
export const watchForeignReclaimed = event.watch
