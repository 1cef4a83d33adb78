import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** A requester set the worst rate for what is pending; 0 for any. */
export type LimitSetEvent = AgentEvent<'LimitSet'>

const event = defineAgentEvent('LimitSet')

/** One page of the LimitSet events of an Agent, which may be narrowed by the indexed arguments. */
export const listLimitSet = event.list

/** Follows the LimitSet events of an Agent. Returns a function that ends it. */
export const watchLimitSet = event.watch
