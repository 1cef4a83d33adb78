import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** The rate left its corridor; settlement waits for a confirmation. */
export type SettlementStoppedEvent = AgentEvent<'SettlementStopped'>

const event = defineAgentEvent('SettlementStopped')

/** One page of the SettlementStopped events of an Agent, which may be narrowed by the indexed arguments. */
export const listSettlementStopped = event.list

/** Follows the SettlementStopped events of an Agent. Returns a function that ends it. */
export const watchSettlementStopped = event.watch
