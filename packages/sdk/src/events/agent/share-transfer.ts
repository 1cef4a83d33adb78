import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Shares moved. */
export type ShareTransferEvent = AgentEvent<'Transfer'>

const event = defineAgentEvent('Transfer')

/** One page of the Transfer events of an Agent, which may be narrowed by the indexed arguments. */
export const listShareTransfer = event.list

/** Follows the Transfer events of an Agent. Returns a function that ends it. */
export const watchShareTransfer = event.watch
