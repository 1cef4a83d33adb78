import type { Sha256Digest } from '@oikos/core'
import { merkleSecretVerifierAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link isSecretSpent}. */
export type IsSecretSpentParameters = VerifierTarget &
  AtBlock & {
    /** See secretLeaf. */
    leaf: Sha256Digest
  }

/** Whether the secret of a leaf has settled a delivery. */
export function isSecretSpent(client: Client, parameters: IsSecretSpentParameters): Promise<boolean> {
  const { verifier, task, tokenId, leaf } = parameters
  const call = { abi: merkleSecretVerifierAbi, address: verifier, functionName: 'isSpent' } as const
  return read(client, parameters, { ...call, args: [task, tokenId, leaf] })
}
