import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** A record was cited by an action that has no event of the standard. */
export type ReasonedEvent = AgentEvent<'Reasoned'>

const event = defineAgentEvent('Reasoned')

/** One page of the Reasoned events of an Agent, which may be narrowed by the indexed arguments. */
export const listReasoned = event.list

/** Follows the Reasoned events of an Agent. Returns a function that ends it. */
export const watchReasoned = event.watch
