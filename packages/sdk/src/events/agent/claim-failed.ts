import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** A member of a batch of claims could not be paid and stays owed. */
export type ClaimFailedEvent = AgentEvent<'ClaimFailed'>

const event = defineAgentEvent('ClaimFailed')

/** One page of the ClaimFailed events of an Agent, which may be narrowed by the indexed arguments. */
export const listClaimFailed = event.list

/** Follows the ClaimFailed events of an Agent. Returns a function that ends it. */
export const watchClaimFailed = event.watch
