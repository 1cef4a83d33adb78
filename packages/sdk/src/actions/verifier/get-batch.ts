import { parseSha256Digest, type Sha256Digest } from '@oikos/core'
import { batchReceiptVerifierAbi } from '@oikos/core/abi'
import { type Client, zeroHash } from 'viem'
import { read } from '../read.ts'
import type { VerifierReadParameters } from './target.ts'

/** What a publisher committed a batch receipt verifier to. */
export type ReceiptBatch = {
  readonly root: Sha256Digest
  /** How old a delivery must be before it settles. */
  readonly minAgeSec: bigint
}

/** Parameters of {@link getBatch}. */
export type GetBatchParameters = VerifierReadParameters

/** What the publisher committed to, or undefined while there is no commitment. */
export async function getBatch(client: Client, parameters: GetBatchParameters): Promise<ReceiptBatch | undefined> {
  const { verifier, task, tokenId } = parameters
  const call = { abi: batchReceiptVerifierAbi, address: verifier, functionName: 'batchOf' } as const
  const [root, minAgeSec] = await read(client, parameters, { ...call, args: [task, tokenId] })
  return root === zeroHash ? undefined : { root: parseSha256Digest(root), minAgeSec }
}
