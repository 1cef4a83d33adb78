import { defineScopeEvent, type ScopeEvent } from './define-scope-event.ts'

/** No call is allowed any more. */
export type RulesRemovedEvent = ScopeEvent<'RulesRemoved'>

const event = defineScopeEvent('RulesRemoved')

/** One page of the RulesRemoved events of a Scope, which may be narrowed by the indexed arguments. */
export const listRulesRemoved = event.list

/** Follows the RulesRemoved events of a Scope. Returns a function that ends it. */
export const watchRulesRemoved = event.watch
