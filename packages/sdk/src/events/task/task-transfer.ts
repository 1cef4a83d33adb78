import { defineTaskEvent, type TaskEvent } from './define-task-event.ts'

/** A task passed to another owner; from the zero address with the mint. Source: ERC-721. */
export type TaskTransferEvent = TaskEvent<'Transfer'>

const event = defineTaskEvent('Transfer')

/** One page of the Transfer events of a task contract, which may be narrowed by the indexed arguments. */
export const listTaskTransfer = event.list

/** Follows the Transfer events of a task contract. Returns a function that ends it. */
export const watchTaskTransfer = event.watch
