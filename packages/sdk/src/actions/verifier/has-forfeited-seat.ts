import { streakVerifierAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link hasForfeitedSeat}. */
export type HasForfeitedSeatParameters = VerifierTarget &
  AtBlock & {
    provider: Address
  }

/** Whether a provider has missed an epoch of a tender, so that it never takes the seat again. */
export function hasForfeitedSeat(client: Client, parameters: HasForfeitedSeatParameters): Promise<boolean> {
  const { verifier, task, tokenId, provider } = parameters
  const call = { abi: streakVerifierAbi, address: verifier, functionName: 'hasForfeited' } as const
  return read(client, parameters, { ...call, args: [task, tokenId, provider] })
}
