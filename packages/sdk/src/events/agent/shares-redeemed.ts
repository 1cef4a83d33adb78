import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Accept Token that was owed was paid. */
export type SharesRedeemedEvent = AgentEvent<'SharesRedeemed'>

const event = defineAgentEvent('SharesRedeemed')

/** One page of the SharesRedeemed events of an Agent, which may be narrowed by the indexed arguments. */
export const listSharesRedeemed = event.list

/** Follows the SharesRedeemed events of an Agent. Returns a function that ends it. */
export const watchSharesRedeemed = event.watch
