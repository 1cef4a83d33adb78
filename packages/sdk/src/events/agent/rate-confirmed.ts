import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Settlement may go on at a rate that somebody looked at. */
export type RateConfirmedEvent = AgentEvent<'RateConfirmed'>

const event = defineAgentEvent('RateConfirmed')

/** One page of the RateConfirmed events of an Agent, which may be narrowed by the indexed arguments. */
export const listRateConfirmed = event.list

/** Follows the RateConfirmed events of an Agent. Returns a function that ends it. */
export const watchRateConfirmed = event.watch
