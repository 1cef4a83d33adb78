import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** An account may act for the Agent, or no longer. */
export type ExecutorUpdatedEvent = AgentEvent<'ExecutorUpdated'>

const event = defineAgentEvent('ExecutorUpdated')

/** One page of the ExecutorUpdated events of an Agent, which may be narrowed by the indexed arguments. */
export const listExecutorUpdated = event.list

/** Follows the ExecutorUpdated events of an Agent. Returns a function that ends it. */
export const watchExecutorUpdated = event.watch
