import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The fees were lowered. */
export type FeesUpdatedEvent = AgentEvent<'FeesUpdated'>

const event = defineAgentEvent('FeesUpdated')

/** One page of the FeesUpdated events of an Agent, which may be narrowed by the indexed arguments. */
export const listFeesUpdated = event.list

/** Follows the FeesUpdated events of an Agent. Returns a function that ends it. */
export const watchFeesUpdated = event.watch
