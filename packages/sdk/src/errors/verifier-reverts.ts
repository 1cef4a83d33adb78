import type { batchReceiptVerifierAbi, hashlockVerifierAbi } from '@oikos/core/abi'
import type { RevertTable } from './revert-table.ts'

/** Why the hash lock verifier refuses a call. */
export const hashlockVerifierReverts: RevertTable<typeof hashlockVerifierAbi> = {
  NotPublisher: ({ caller, updateAuthority }, say) => ({
    sentence: `Only the task's update authority ${say.address(updateAuthority)} may do this; the caller is ${say.address(caller)}.`,
    advice: 'Send it from the update authority.',
  }),
  AlreadyCommitted: ({ taskContract, tokenId }, say) => ({
    sentence: `The publisher of task ${tokenId} of ${say.address(taskContract)} has committed already.`,
    advice: 'A commitment never changes; mint a new task for a new one.',
  }),
  EmptyCommitment: () => ({
    sentence: 'The commitment is zero.',
    advice: 'Commit to the hash of the answer, or to the root of the receipts.',
  }),
  NotTaskContract: ({ caller, taskContract }, say) => ({
    sentence: `Only the task contract ${say.address(taskContract)} may ask the verifier; the caller is ${say.address(caller)}.`,
    advice: 'Settle the delivery through the task contract.',
  }),
  DeliveriesPending: ({ tokenId, pending }) => ({
    sentence: `The judgment of task ${tokenId} cannot be handed over while deliveries are pending, and ${pending} ${pending === 1n ? 'is' : 'are'}.`,
    advice: 'Settle or release them first.',
    retryable: true,
  }),
}

/** Why the batch receipt verifier refuses a call. */
export const batchReceiptVerifierReverts: RevertTable<typeof batchReceiptVerifierAbi> = {
  ...hashlockVerifierReverts,
  ZeroMinAge: () => ({
    sentence: 'The minimum age of a delivery is zero, which would let anybody settle on what the mempool just showed.',
    advice: 'Set a minimum age of at least one second; a few minutes are a common choice.',
  }),
}
