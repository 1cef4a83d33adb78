import type { Sha256Digest } from '@oikos/core'
import { merkleSecretVerifierAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link commitSecrets}. */
export type CommitSecretsParameters = VerifierTarget &
  WriteParameters & {
    /** Root of all secrets; see buildSecretTree. */
    root: Sha256Digest
    /** How old a delivery must be before it settles: greater than zero, below the judgment window. */
    minAgeSec: bigint
  }

const write = defineWrite({
  abi: merkleSecretVerifierAbi,
  eventAbi: merkleSecretVerifierAbi,
  functionName: 'commitSecrets',
  event: 'SecretsCommitted',
  contract: ({ verifier }: CommitSecretsParameters) => verifier,
  emitter: ({ verifier }) => verifier,
  args: ({ task, tokenId, root, minAgeSec }) => [task, tokenId, root, minAgeSec],
})

/** Commits a Merkle secret verifier to the secrets of a tender, once, as its update authority. Simulates, then sends. */
export const commitSecrets = write.send

/** What {@link commitSecrets} would do, on the latest state; nothing is sent. */
export const simulateCommitSecrets = write.simulate

/** {@link commitSecrets}, then waits for the event SecretsCommitted. */
export const commitSecretsAndWait = write.sendAndWait
