import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** A request was answered; `amount` became claimable: shares for `kind` 0, Accept Token for 1. */
export type SettledEvent = AgentEvent<'Settled'>

const event = defineAgentEvent('Settled')

/** One page of the Settled events of an Agent, which may be narrowed by the indexed arguments. */
export const listSettled = event.list

/** Follows the Settled events of an Agent. Returns a function that ends it. */
export const watchSettled = event.watch
