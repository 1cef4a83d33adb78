import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The ownership was offered. */
export type AgentOwnershipTransferStartedEvent = AgentEvent<'OwnershipTransferStarted'>

const event = defineAgentEvent('OwnershipTransferStarted')

/** One page of the OwnershipTransferStarted events of an Agent, which may be narrowed by the indexed arguments. */
export const listAgentOwnershipTransferStarted = event.list

/** Follows the OwnershipTransferStarted events of an Agent. Returns a function that ends it. */
export const watchAgentOwnershipTransferStarted = event.watch
