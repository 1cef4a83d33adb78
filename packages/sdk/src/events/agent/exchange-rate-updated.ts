import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** A settlement or a confirmation moved the rate; Accept Token smallest units per share. */
export type ExchangeRateUpdatedEvent = AgentEvent<'ExchangeRateUpdated'>

const event = defineAgentEvent('ExchangeRateUpdated')

/** One page of the ExchangeRateUpdated events of an Agent, which may be narrowed by the indexed arguments. */
export const listExchangeRateUpdated = event.list

/** Follows the ExchangeRateUpdated events of an Agent. Returns a function that ends it. */
export const watchExchangeRateUpdated = event.watch
