import type { Client, Hash } from 'viem'
import { getBlock } from 'viem/actions'
import { toOikosError } from '../errors/to-oikos-error.ts'

/** A block by its number, hash and time. */
export type BlockMoment = {
  number: bigint
  hash: Hash
  /** Unix seconds; the clock that decides in contracts. */
  timestampSec: bigint
}

/** One block; the latest by default. Throws RpcError. */
export async function getBlockMoment(client: Client, blockNumber?: bigint): Promise<BlockMoment> {
  try {
    const which = blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber }
    const { number, hash, timestamp } = await getBlock(client, which)
    return { number, hash, timestampSec: timestamp }
  } catch (error) {
    throw toOikosError(error)
  }
}

/** Number of the latest block, from the node and not from a cache. Throws RpcError. */
export async function latestBlockNumber(client: Client): Promise<bigint> {
  return (await getBlockMoment(client)).number
}
