import { signedOutcomeVerifierAbi } from '@oikos/core/abi'
import type { Address, Client, Hex } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link getOutcomeDigest}. */
export type GetOutcomeDigestParameters = VerifierTarget &
  AtBlock & {
    /** Counts from 1 in each tender. */
    submissionId: bigint
    fulfiller: Address
    /** Commitment of the delivery, 32 bytes. */
    resultHash: Hex
  }

/** The digest that an attestor signs for a delivery, as the verifier computes it; outcomeDigest of core computes the same. */
export function getOutcomeDigest(client: Client, parameters: GetOutcomeDigestParameters): Promise<Hex> {
  const { verifier, task, tokenId, submissionId, fulfiller, resultHash } = parameters
  const call = { abi: signedOutcomeVerifierAbi, address: verifier, functionName: 'outcomeDigest' } as const
  return read(client, parameters, { ...call, args: [task, tokenId, submissionId, fulfiller, resultHash] })
}
