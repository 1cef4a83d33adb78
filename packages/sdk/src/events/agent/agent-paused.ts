import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Deposits, settlement and execution were stopped. */
export type AgentPausedEvent = AgentEvent<'Paused'>

const event = defineAgentEvent('Paused')

/** One page of the Paused events of an Agent, which may be narrowed by the indexed arguments. */
export const listAgentPaused = event.list

/** Follows the Paused events of an Agent. Returns a function that ends it. */
export const watchAgentPaused = event.watch
