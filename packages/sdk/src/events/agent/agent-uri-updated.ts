import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The Owner said where the metadata is. */
export type AgentURIUpdatedEvent = AgentEvent<'AgentURIUpdated'>

const event = defineAgentEvent('AgentURIUpdated')

/** One page of the AgentURIUpdated events of an Agent, which may be narrowed by the indexed arguments. */
export const listAgentURIUpdated = event.list

/** Follows the AgentURIUpdated events of an Agent. Returns a function that ends it. */
export const watchAgentURIUpdated = event.watch
