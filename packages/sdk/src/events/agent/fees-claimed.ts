import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The fees that were owed were paid. */
export type FeesClaimedEvent = AgentEvent<'FeesClaimed'>

const event = defineAgentEvent('FeesClaimed')

/** One page of the FeesClaimed events of an Agent, which may be narrowed by the indexed arguments. */
export const listFeesClaimed = event.list

/** Follows the FeesClaimed events of an Agent. Returns a function that ends it. */
export const watchFeesClaimed = event.watch
