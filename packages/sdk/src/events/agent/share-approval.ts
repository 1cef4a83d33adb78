import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** A holder let a spender take shares. */
export type ShareApprovalEvent = AgentEvent<'Approval'>

const event = defineAgentEvent('Approval')

/** One page of the Approval events of an Agent, which may be narrowed by the indexed arguments. */
export const listShareApproval = event.list

/** Follows the Approval events of an Agent. Returns a function that ends it. */
export const watchShareApproval = event.watch
