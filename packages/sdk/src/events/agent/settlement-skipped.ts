import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** A request could not be settled; `outcome` is read with settlementOutcome. */
export type SettlementSkippedEvent = AgentEvent<'SettlementSkipped'>

const event = defineAgentEvent('SettlementSkipped')

/** One page of the SettlementSkipped events of an Agent, which may be narrowed by the indexed arguments. */
export const listSettlementSkipped = event.list

/** Follows the SettlementSkipped events of an Agent. Returns a function that ends it. */
export const watchSettlementSkipped = event.watch
