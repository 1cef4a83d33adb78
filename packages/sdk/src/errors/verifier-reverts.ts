import type {
  batchReceiptVerifierAbi,
  hashlockVerifierAbi,
  merkleSecretVerifierAbi,
  signedOutcomeVerifierAbi,
  streakVerifierAbi,
} from '@oikos/core/abi'
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
    advice: 'Commit to the hash of the answer, or to the root of the receipts or secrets.',
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

/** Why a signed outcome verifier refuses a call. */
export const signedOutcomeVerifierReverts: RevertTable<typeof signedOutcomeVerifierAbi> = {
  ...hashlockVerifierReverts,
  TooManyAttestors: ({ count, max }) => ({
    sentence: `${count} attestors were named, and at most ${max} fit.`,
    advice: 'Name fewer.',
  }),
  ThresholdOutOfRange: ({ threshold, attestors }) => ({
    sentence: `A threshold of ${threshold} cannot be reached, or means nothing, among ${attestors} attestors.`,
    advice: 'Choose a threshold from one to the number of attestors.',
  }),
  AttestorsNotAscending: ({ previous, attestor }, say) => ({
    sentence: `The attestor ${say.address(attestor)} does not come after ${say.address(previous)}.`,
    advice: 'Name each once, in ascending order of the addresses, and never zero.',
  }),
  InvalidShortString: () => ({
    sentence: 'The name in the signing domain of the verifier cannot be read.',
    advice: 'Check that the address is the verifier you mean.',
  }),
  StringTooLong: () => ({
    sentence: 'The name in the signing domain of the verifier is too long.',
    advice: 'Check that the address is the verifier you mean.',
  }),
}

/** Why a streak verifier refuses a call. */
export const streakVerifierReverts: RevertTable<typeof streakVerifierAbi> = {
  ...signedOutcomeVerifierReverts,
  NoCadence: ({ tokenId }) => ({
    sentence: `Task ${tokenId} has no epochs, so nobody could miss one.`,
    advice: 'Mint a task with an epoch length.',
  }),
  NothingMissed: ({ tokenId }) => ({
    sentence: `No provider of task ${tokenId} has missed an epoch by now.`,
    advice: 'An epoch is missed when it and its grace are over and nothing of it was accepted.',
    retryable: true,
  }),
}

/** Why a Merkle secret verifier refuses a call. */
export const merkleSecretVerifierReverts: RevertTable<typeof merkleSecretVerifierAbi> = {
  ...hashlockVerifierReverts,
  MinAgeOutOfRange: ({ minAge, judgmentWindow }, say) => ({
    sentence: `A minimum age of ${say.duration(minAge)} does not fit: it has to be above zero and below the judgment window of ${say.duration(judgmentWindow)}.`,
    advice: 'A few minutes are a common choice.',
  }),
}
