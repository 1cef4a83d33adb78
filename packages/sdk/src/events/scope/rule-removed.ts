import { defineScopeEvent, type ScopeEvent } from './define-scope-event.ts'

/** A kind of call is no longer allowed. */
export type RuleRemovedEvent = ScopeEvent<'RuleRemoved'>

const event = defineScopeEvent('RuleRemoved')

/** One page of the RuleRemoved events of a Scope, which may be narrowed by the indexed arguments. */
export const listRuleRemoved = event.list

/** Follows the RuleRemoved events of a Scope. Returns a function that ends it. */
export const watchRuleRemoved = event.watch
