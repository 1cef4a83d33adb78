import { signedOutcomeVerifierAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineVerifierEvent } from './define-verifier-event.ts'

/** A publisher named who attests the deliveries of a tender. */
export type AttestorsCommittedEvent = ContractEvent<typeof signedOutcomeVerifierAbi, 'AttestorsCommitted'>

const event = defineVerifierEvent(signedOutcomeVerifierAbi, 'AttestorsCommitted')

/** One page of the AttestorsCommitted events of a signed outcome or a streak verifier. */
export const listAttestorsCommitted = event.list

/** Follows the AttestorsCommitted events of a signed outcome or a streak verifier. Returns a function that ends it. */
export const watchAttestorsCommitted = event.watch
