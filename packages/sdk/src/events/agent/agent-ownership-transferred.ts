import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The ownership changed or was renounced. */
export type AgentOwnershipTransferredEvent = AgentEvent<'OwnershipTransferred'>

const event = defineAgentEvent('OwnershipTransferred')

/** One page of the OwnershipTransferred events of an Agent, which may be narrowed by the indexed arguments. */
export const listAgentOwnershipTransferred = event.list

/** Follows the OwnershipTransferred events of an Agent. Returns a function that ends it. */
export const watchAgentOwnershipTransferred = event.watch
