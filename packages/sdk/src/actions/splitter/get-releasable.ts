import { splitterAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { SplitterTarget } from './target.ts'

/** Parameters of {@link getReleasable}. */
export type GetReleasableParameters = SplitterTarget &
  AtBlock & {
    /** Token contract; the zero address is the native currency. */
    sharedAsset: Address
    account: Address
  }

/** What an account would be paid by withdrawOwed now, in smallest units. */
export function getReleasable(client: Client, parameters: GetReleasableParameters): Promise<bigint> {
  const { splitter, sharedAsset, account } = parameters
  const call = { abi: splitterAbi, address: splitter, functionName: 'releasableOf' } as const
  return read(client, parameters, { ...call, args: [sharedAsset, account] })
}
