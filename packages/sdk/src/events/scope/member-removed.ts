import { defineScopeEvent, type ScopeEvent } from './define-scope-event.ts'

/** A member was taken out of a set. */
export type MemberRemovedEvent = ScopeEvent<'MemberRemoved'>

const event = defineScopeEvent('MemberRemoved')

/** One page of the MemberRemoved events of a Scope, which may be narrowed by the indexed arguments. */
export const listMemberRemoved = event.list

/** Follows the MemberRemoved events of a Scope. Returns a function that ends it. */
export const watchMemberRemoved = event.watch
