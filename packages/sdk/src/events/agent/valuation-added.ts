import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The Owner listed a valuation. */
export type ValuationAddedEvent = AgentEvent<'ValuationAdded'>

const event = defineAgentEvent('ValuationAdded')

/** One page of the ValuationAdded events of an Agent, which may be narrowed by the indexed arguments. */
export const listValuationAdded = event.list

/** Follows the ValuationAdded events of an Agent. Returns a function that ends it. */
export const watchValuationAdded = event.watch
