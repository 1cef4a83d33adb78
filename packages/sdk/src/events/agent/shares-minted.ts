import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Shares that were owed were minted. */
export type SharesMintedEvent = AgentEvent<'SharesMinted'>

const event = defineAgentEvent('SharesMinted')

/** One page of the SharesMinted events of an Agent, which may be narrowed by the indexed arguments. */
export const listSharesMinted = event.list

/** Follows the SharesMinted events of an Agent. Returns a function that ends it. */
export const watchSharesMinted = event.watch
