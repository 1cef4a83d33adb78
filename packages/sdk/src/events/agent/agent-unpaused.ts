import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** A pause ended. */
export type AgentUnpausedEvent = AgentEvent<'Unpaused'>

const event = defineAgentEvent('Unpaused')

/** One page of the Unpaused events of an Agent, which may be narrowed by the indexed arguments. */
export const listAgentUnpaused = event.list

/** Follows the Unpaused events of an Agent. Returns a function that ends it. */
export const watchAgentUnpaused = event.watch
