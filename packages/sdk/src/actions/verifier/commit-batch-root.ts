import type { Sha256Digest } from '@oikos/core'
import { batchReceiptVerifierAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link commitBatchRoot}. */
export type CommitBatchRootParameters = VerifierTarget &
  WriteParameters & {
    /** Root of all receipts; see buildReceiptTree. */
    root: Sha256Digest
    /** How old a delivery must be before it settles, greater than zero. */
    minAgeSec: bigint
  }

const write = defineWrite({
  abi: batchReceiptVerifierAbi,
  eventAbi: batchReceiptVerifierAbi,
  functionName: 'commitBatchRoot',
  event: 'BatchRootCommitted',
  contract: ({ verifier }: CommitBatchRootParameters) => verifier,
  emitter: ({ verifier }) => verifier,
  args: ({ task, tokenId, root, minAgeSec }) => [task, tokenId, root, minAgeSec],
})

/** Commits a batch receipt verifier to the root of a tender, once, as its update authority. Simulates, then sends. */
export const commitBatchRoot = write.send

/** What {@link commitBatchRoot} would do, on the latest state; nothing is sent. */
export const simulateCommitBatchRoot = write.simulate

/** {@link commitBatchRoot}, then waits for the event BatchRootCommitted. */
export const commitBatchRootAndWait = write.sendAndWait
