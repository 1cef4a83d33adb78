import { defineScopeEvent, type ScopeEvent } from './define-scope-event.ts'

/** A rule ends earlier than it would have. */
export type RuleExpirySetEvent = ScopeEvent<'RuleExpirySet'>

const event = defineScopeEvent('RuleExpirySet')

/** One page of the RuleExpirySet events of a Scope, which may be narrowed by the indexed arguments. */
export const listRuleExpirySet = event.list

/** Follows the RuleExpirySet events of a Scope. Returns a function that ends it. */
export const watchRuleExpirySet = event.watch
