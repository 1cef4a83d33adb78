import { hashlockVerifierAbi } from '@oikos/core/abi'
import type { Client, Hex } from 'viem'
import { read } from '../read.ts'
import type { VerifierReadParameters } from './target.ts'

/** Parameters of {@link isResultConsumed}. */
export type IsResultConsumedParameters = VerifierReadParameters & {
  /** Commitment of a delivery, 32 bytes. */
  resultHash: Hex
}

/** Whether a stock verifier has settled a delivery with this result hash, so that it settles no other one. */
export function isResultConsumed(client: Client, parameters: IsResultConsumedParameters): Promise<boolean> {
  const { verifier, task, tokenId, resultHash } = parameters
  const call = { abi: hashlockVerifierAbi, address: verifier, functionName: 'isConsumed' } as const
  return read(client, parameters, { ...call, args: [task, tokenId, resultHash] })
}
