import { type AgentEvent, defineAgentEvent } from './define-agent-event.ts'

/** Accept Token was deposited for shares. */
export type MintRequestedEvent = AgentEvent<'MintRequested'>

const event = defineAgentEvent('MintRequested')

/** One page of the MintRequested events of an Agent, which may be narrowed by the indexed arguments. */
export const listMintRequested = event.list

/** Follows the MintRequested events of an Agent. Returns a function that ends it. */
export const watchMintRequested = event.watch
