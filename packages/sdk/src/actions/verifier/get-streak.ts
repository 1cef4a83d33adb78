import { streakVerifierAbi } from '@oikos/core/abi'
import { type Address, type Client, zeroAddress } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** What a streak verifier keeps about one tender. */
export type Streak = {
  /** Whose seat it is; undefined while it is free. */
  readonly provider: Address | undefined
  /** Epoch of the delivery that was accepted last: unix seconds divided by the length. Means nothing while the seat is free. */
  readonly lastEpoch: bigint
  readonly epochLengthSec: bigint
  /** Seconds after an epoch in which its deliveries still settle. */
  readonly graceSec: bigint
}

/** Parameters of {@link getStreak}. */
export type GetStreakParameters = VerifierTarget & AtBlock

/** The streak of a tender as it was last written down, or undefined while there is no commitment. A miss that nobody has
 * declared is not in it; see getStreakProvider. */
export async function getStreak(client: Client, parameters: GetStreakParameters): Promise<Streak | undefined> {
  const { verifier, task, tokenId } = parameters
  const call = { abi: streakVerifierAbi, address: verifier, functionName: 'streakOf' } as const
  const [provider, lastEpoch, epochLengthSec, graceSec] = await read(client, parameters, {
    ...call,
    args: [task, tokenId],
  })
  if (epochLengthSec === 0n) return undefined
  return { provider: provider === zeroAddress ? undefined : provider, lastEpoch, epochLengthSec, graceSec }
}
