import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Something pending went back; `kind` 0 is Accept Token, 1 shares. */
export type ReclaimedEvent = AgentEvent<'Reclaimed'>

const event = defineAgentEvent('Reclaimed')

/** One page of the Reclaimed events of an Agent, which may be narrowed by the indexed arguments. */
export const listReclaimed = event.list

/** Follows the Reclaimed events of an Agent. Returns a function that ends it. */
export const watchReclaimed = event.watch
