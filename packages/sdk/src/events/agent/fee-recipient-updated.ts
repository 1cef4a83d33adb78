import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The fees go to another account. */
export type FeeRecipientUpdatedEvent = AgentEvent<'FeeRecipientUpdated'>

const event = defineAgentEvent('FeeRecipientUpdated')

/** One page of the FeeRecipientUpdated events of an Agent, which may be narrowed by the indexed arguments. */
export const listFeeRecipientUpdated = event.list

/** Follows the FeeRecipientUpdated events of an Agent. Returns a function that ends it. */
export const watchFeeRecipientUpdated = event.watch
