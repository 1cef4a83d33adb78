import { defineScopeEvent, type ScopeEvent } from './define-scope-event.ts'

/** A cap was lowered. */
export type CapLoweredEvent = ScopeEvent<'CapLowered'>

const event = defineScopeEvent('CapLowered')

/** One page of the CapLowered events of a Scope, which may be narrowed by the indexed arguments. */
export const listCapLowered = event.list

/** Follows the CapLowered events of a Scope. Returns a function that ends it. */
export const watchCapLowered = event.watch
