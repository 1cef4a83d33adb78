import { fundingRouterAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { RoutedTenderTarget } from './target.ts'

/** What went through a router to one tender and came back; amounts in smallest units. */
export type RouterPot = {
  /** All that went to the tender. */
  readonly contributedAtomic: bigint
  /** Contributions that were not refunded yet. */
  readonly outstandingAtomic: bigint
  /** What the tender gave back, and what of it is left. */
  readonly poolAtomic: bigint
  readonly leftAtomic: bigint
  /** The tender has given back. */
  readonly isCollected: boolean
}

/** Parameters of {@link getRouterPot}. */
export type GetRouterPotParameters = RoutedTenderTarget & AtBlock

/** The books of a router about one tender. */
export async function getRouterPot(client: Client, parameters: GetRouterPotParameters): Promise<RouterPot> {
  const { router, task, tokenId } = parameters
  const call = { abi: fundingRouterAbi, address: router, functionName: 'potOf' } as const
  const pot = await read(client, parameters, { ...call, args: [task, tokenId] })
  const [contributedAtomic, outstandingAtomic, poolAtomic, leftAtomic, isCollected] = pot
  return { contributedAtomic, outstandingAtomic, poolAtomic, leftAtomic, isCollected }
}
