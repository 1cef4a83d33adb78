import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** What a settlement used up, gave and took as a fee, and its rate. */
export type SettlementDetailEvent = AgentEvent<'SettlementDetail'>

const event = defineAgentEvent('SettlementDetail')

/** One page of the SettlementDetail events of an Agent, which may be narrowed by the indexed arguments. */
export const listSettlementDetail = event.list

/** Follows the SettlementDetail events of an Agent. Returns a function that ends it. */
export const watchSettlementDetail = event.watch
