import { streakVerifierAbi } from '@oikos/core/abi'
import { type Address, type Client, zeroAddress } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link getStreakProvider}. */
export type GetStreakProviderParameters = VerifierTarget & AtBlock

/** Who alone can settle now, or undefined while the seat is free. */
export async function getStreakProvider(
  client: Client,
  parameters: GetStreakProviderParameters,
): Promise<Address | undefined> {
  const { verifier, task, tokenId } = parameters
  const call = { abi: streakVerifierAbi, address: verifier, functionName: 'providerOf' } as const
  const provider = await read(client, parameters, { ...call, args: [task, tokenId] })
  return provider === zeroAddress ? undefined : provider
}
