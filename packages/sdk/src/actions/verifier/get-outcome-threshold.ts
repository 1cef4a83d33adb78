import { signedOutcomeVerifierAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link getOutcomeThreshold}. */
export type GetOutcomeThresholdParameters = VerifierTarget & AtBlock

/** How many signatures a proof holds for a signed outcome or a streak verifier; 0 while nothing is committed. */
export function getOutcomeThreshold(client: Client, parameters: GetOutcomeThresholdParameters): Promise<bigint> {
  const { verifier, task, tokenId } = parameters
  const call = { abi: signedOutcomeVerifierAbi, address: verifier, functionName: 'thresholdOf' } as const
  return read(client, parameters, { ...call, args: [task, tokenId] })
}
