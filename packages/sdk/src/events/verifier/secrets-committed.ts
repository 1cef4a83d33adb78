import { merkleSecretVerifierAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineVerifierEvent } from './define-verifier-event.ts'

/** A publisher committed to the root of the secrets of a tender; `minAge` is in seconds. */
export type SecretsCommittedEvent = ContractEvent<typeof merkleSecretVerifierAbi, 'SecretsCommitted'>

const event = defineVerifierEvent(merkleSecretVerifierAbi, 'SecretsCommitted')

/** One page of the SecretsCommitted events of a Merkle secret verifier. */
export const listSecretsCommitted = event.list

/** Follows the SecretsCommitted events of a Merkle secret verifier. Returns a function that ends it. */
export const watchSecretsCommitted = event.watch
