import { defineScopeEvent, type ScopeEvent } from './define-scope-event.ts'

/** A proposal was dropped. */
export type PolicyWithdrawnEvent = ScopeEvent<'PolicyWithdrawn'>

const event = defineScopeEvent('PolicyWithdrawn')

/** One page of the PolicyWithdrawn events of a Scope, which may be narrowed by the indexed arguments. */
export const listPolicyWithdrawn = event.list

/** Follows the PolicyWithdrawn events of a Scope. Returns a function that ends it. */
export const watchPolicyWithdrawn = event.watch
