import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The guards on the settlement price were set. */
export type GuardUpdatedEvent = AgentEvent<'GuardUpdated'>

const event = defineAgentEvent('GuardUpdated')

/** One page of the GuardUpdated events of an Agent, which may be narrowed by the indexed arguments. */
export const listGuardUpdated = event.list

/** Follows the GuardUpdated events of an Agent. Returns a function that ends it. */
export const watchGuardUpdated = event.watch
