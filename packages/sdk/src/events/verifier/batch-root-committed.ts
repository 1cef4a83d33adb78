import { batchReceiptVerifierAbi } from '@oikos/core/abi'
import type { ContractEvent } from '../contract-event.ts'
import { defineVerifierEvent } from './define-verifier-event.ts'

/** A publisher committed to the root of a batch of receipts; `minAge` is in seconds. */
export type BatchRootCommittedEvent = ContractEvent<typeof batchReceiptVerifierAbi, 'BatchRootCommitted'>

const event = defineVerifierEvent(batchReceiptVerifierAbi, 'BatchRootCommitted')

/** One page of the BatchRootCommitted events of a batch receipt verifier. */
export const listBatchRootCommitted = event.list

/** Follows the BatchRootCommitted events of a batch receipt verifier. Returns a function that ends it. */
export const watchBatchRootCommitted = event.watch
