import { type AttestedValuationEvent, defineAttestedValuationEvent } from './define-attested-valuation-event.ts'

/** A value was proposed. */
export type ValueProposedEvent = AttestedValuationEvent<'ValueProposed'>

const event = defineAttestedValuationEvent('ValueProposed')

/** One page of the ValueProposed events of an attested valuation, which may be narrowed by the indexed arguments. */
export const listValueProposed = event.list

/** Follows the ValueProposed events of an attested valuation. Returns a function that ends it. */
export const watchValueProposed = event.watch
