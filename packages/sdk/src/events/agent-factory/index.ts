export { type AgentCreatedEvent, listAgentCreated, watchAgentCreated } from './agent-created.ts'
export type { FactoryEvent, FactoryEventName } from './define-factory-event.ts'
