import { parseSha256Digest, type Sha256Digest } from '@oikos/core'
import { hashlockVerifierAbi } from '@oikos/core/abi'
import { type Client, zeroHash } from 'viem'
import { read } from '../read.ts'
import type { VerifierReadParameters } from './target.ts'

/** Parameters of {@link getAnswerHash}. */
export type GetAnswerHashParameters = VerifierReadParameters

/** What the publisher committed to, or undefined while there is no commitment. */
export async function getAnswerHash(
  client: Client,
  parameters: GetAnswerHashParameters,
): Promise<Sha256Digest | undefined> {
  const { verifier, task, tokenId } = parameters
  const call = { abi: hashlockVerifierAbi, address: verifier, functionName: 'answerHashOf' } as const
  const answerHash = await read(client, parameters, { ...call, args: [task, tokenId] })
  return answerHash === zeroHash ? undefined : parseSha256Digest(answerHash)
}
