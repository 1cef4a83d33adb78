import { parseSha256Digest, type Sha256Digest } from '@oikos/core'
import { merkleSecretVerifierAbi } from '@oikos/core/abi'
import { type Client, zeroHash } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** What a publisher committed a Merkle secret verifier to. */
export type SecretSet = {
  readonly root: Sha256Digest
  /** How old a delivery must be before it settles. */
  readonly minAgeSec: bigint
}

/** Parameters of {@link getSecrets}. */
export type GetSecretsParameters = VerifierTarget & AtBlock

/** What the publisher committed to, or undefined while there is no commitment. */
export async function getSecrets(client: Client, parameters: GetSecretsParameters): Promise<SecretSet | undefined> {
  const { verifier, task, tokenId } = parameters
  const call = { abi: merkleSecretVerifierAbi, address: verifier, functionName: 'secretsOf' } as const
  const [root, minAgeSec] = await read(client, parameters, { ...call, args: [task, tokenId] })
  return root === zeroHash ? undefined : { root: parseSha256Digest(root), minAgeSec }
}
