import { merkleSecretVerifierAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineVerifierEvent } from './define-verifier-event.ts'

/** The secret of `leaf` has settled a delivery. */
export type SecretSpentEvent = ContractEvent<typeof merkleSecretVerifierAbi, 'SecretSpent'>

const event = defineVerifierEvent(merkleSecretVerifierAbi, 'SecretSpent')

/** One page of the SecretSpent events of a Merkle secret verifier. */
export const listSecretSpent = event.list

/** Follows the SecretSpent events of a Merkle secret verifier. Returns a function that ends it. */
export const watchSecretSpent = event.watch
