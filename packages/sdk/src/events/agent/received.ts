import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Native currency arrived, in wei. */
export type ReceivedEvent = AgentEvent<'Received'>

const event = defineAgentEvent('Received')

/** One page of the Received events of an Agent, which may be narrowed by the indexed arguments. */
export const listReceived = event.list

/** Follows the Received events of an Agent. Returns a function that ends it. */
export const watchReceived = event.watch
