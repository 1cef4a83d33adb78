import { type AttestedValuationEvent, defineAttestedValuationEvent } from './define-attested-valuation-event.ts'

/** A value was accepted or confirmed. */
export type ValueAttestedEvent = AttestedValuationEvent<'ValueAttested'>

const event = defineAttestedValuationEvent('ValueAttested')

/** One page of the ValueAttested events of an attested valuation, which may be narrowed by the indexed arguments. */
export const listValueAttested = event.list

/** Follows the ValueAttested events of an attested valuation. Returns a function that ends it. */
export const watchValueAttested = event.watch
