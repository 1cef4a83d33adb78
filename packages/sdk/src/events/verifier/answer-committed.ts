import { hashlockVerifierAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineVerifierEvent } from './define-verifier-event.ts'

/** A publisher committed to the hash of an answer. */
export type AnswerCommittedEvent = ContractEvent<typeof hashlockVerifierAbi, 'AnswerCommitted'>

const event = defineVerifierEvent(hashlockVerifierAbi, 'AnswerCommitted')

/** One page of the AnswerCommitted events of a hash lock verifier. */
export const listAnswerCommitted = event.list

/** Follows the AnswerCommitted events of a hash lock verifier. Returns a function that ends it. */
export const watchAnswerCommitted = event.watch
