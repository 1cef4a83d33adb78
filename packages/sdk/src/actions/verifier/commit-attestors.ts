import { signedOutcomeVerifierAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link commitAttestors}. */
export type CommitAttestorsParameters = VerifierTarget &
  WriteParameters & {
    /** Ascending, each once, at most 32; see sortAttestors. */
    attestors: readonly Address[]
    /** How many of them have to sign, from 1 to all. */
    threshold: bigint
  }

const write = defineWrite({
  abi: signedOutcomeVerifierAbi,
  eventAbi: signedOutcomeVerifierAbi,
  functionName: 'commitAttestors',
  event: 'AttestorsCommitted',
  contract: ({ verifier }: CommitAttestorsParameters) => verifier,
  emitter: ({ verifier }) => verifier,
  args: ({ task, tokenId, attestors, threshold }) => [task, tokenId, attestors, threshold],
})

/** Names who attests the deliveries of a tender to a signed outcome verifier, once, as its update authority. Simulates, then
 * sends. */
export const commitAttestors = write.send

/** What {@link commitAttestors} would do, on the latest state; nothing is sent. */
export const simulateCommitAttestors = write.simulate

/** {@link commitAttestors}, then waits for the event AttestorsCommitted. */
export const commitAttestorsAndWait = write.sendAndWait
