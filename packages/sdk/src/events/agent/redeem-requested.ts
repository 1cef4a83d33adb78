import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Shares were escrowed for Accept Token. */
export type RedeemRequestedEvent = AgentEvent<'RedeemRequested'>

const event = defineAgentEvent('RedeemRequested')

/** One page of the RedeemRequested events of an Agent, which may be narrowed by the indexed arguments. */
export const listRedeemRequested = event.list

/** Follows the RedeemRequested events of an Agent. Returns a function that ends it. */
export const watchRedeemRequested = event.watch
