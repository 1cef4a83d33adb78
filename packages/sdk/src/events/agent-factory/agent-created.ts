import { defineFactoryEvent, type FactoryEvent } from './define-factory-event.ts'

/** An Agent was born. */
export type AgentCreatedEvent = FactoryEvent<'AgentCreated'>

const event = defineFactoryEvent('AgentCreated')

/** One page of the AgentCreated events of a factory, which may be narrowed by the indexed arguments. */
export const listAgentCreated = event.list

/** Follows the AgentCreated events of a factory. Returns a function that ends it. */
export const watchAgentCreated = event.watch
