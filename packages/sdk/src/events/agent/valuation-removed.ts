import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The Owner unlisted a valuation. */
export type ValuationRemovedEvent = AgentEvent<'ValuationRemoved'>

const event = defineAgentEvent('ValuationRemoved')

/** One page of the ValuationRemoved events of an Agent, which may be narrowed by the indexed arguments. */
export const listValuationRemoved = event.list

/** Follows the ValuationRemoved events of an Agent. Returns a function that ends it. */
export const watchValuationRemoved = event.watch
