import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The Agent made a call. */
export type ExecutedEvent = AgentEvent<'Executed'>

const event = defineAgentEvent('Executed')

/** One page of the Executed events of an Agent, which may be narrowed by the indexed arguments. */
export const listExecuted = event.list

/** Follows the Executed events of an Agent. Returns a function that ends it. */
export const watchExecuted = event.watch
