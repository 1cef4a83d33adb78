import { defineScopeEvent, type ScopeEvent } from './define-scope-event.ts'

/** A change was announced. */
export type PolicyProposedEvent = ScopeEvent<'PolicyProposed'>

const event = defineScopeEvent('PolicyProposed')

/** One page of the PolicyProposed events of a Scope, which may be narrowed by the indexed arguments. */
export const listPolicyProposed = event.list

/** Follows the PolicyProposed events of a Scope. Returns a function that ends it. */
export const watchPolicyProposed = event.watch
