import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** An address may move one task. Source: ERC-721. */
export type TaskApprovalEvent = TaskEvent<'Approval'>

const event = defineTaskEvent('Approval')

/** One page of the Approval events of a task contract, which may be narrowed by the indexed arguments. */
export const listTaskApproval = event.list

/** Follows the Approval events of a task contract. Returns a function that ends it. */
export const watchTaskApproval = event.watch
