import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Another account may brake. */
export type GuardianUpdatedEvent = AgentEvent<'GuardianUpdated'>

const event = defineAgentEvent('GuardianUpdated')

/** One page of the GuardianUpdated events of an Agent, which may be narrowed by the indexed arguments. */
export const listGuardianUpdated = event.list

/** Follows the GuardianUpdated events of an Agent. Returns a function that ends it. */
export const watchGuardianUpdated = event.watch
