import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** An operator may move all tasks of an owner, or no longer. Source: ERC-721. */
export type TaskApprovalForAllEvent = TaskEvent<'ApprovalForAll'>

const event = defineTaskEvent('ApprovalForAll')

/** One page of the ApprovalForAll events of a task contract, which may be narrowed by the indexed arguments. */
export const listTaskApprovalForAll = event.list

/** Follows the ApprovalForAll events of a task contract. Returns a function that ends it. */
export const watchTaskApprovalForAll = event.watch
