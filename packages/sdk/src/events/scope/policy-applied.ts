import { defineScopeEvent, type ScopeEvent } from './define-scope-event.ts'

/** A change took effect; the first is that of the birth. */
export type PolicyAppliedEvent = ScopeEvent<'PolicyApplied'>

const event = defineScopeEvent('PolicyApplied')

/** One page of the PolicyApplied events of a Scope, which may be narrowed by the indexed arguments. */
export const listPolicyApplied = event.list

/** Follows the PolicyApplied events of a Scope. Returns a function that ends it. */
export const watchPolicyApplied = event.watch
