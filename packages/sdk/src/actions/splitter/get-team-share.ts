import { splitterAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { SplitterTarget } from './target.ts'

/** Parameters of {@link getTeamShare}. */
export type GetTeamShareParameters = SplitterTarget &
  AtBlock & {
    account: Address
  }

/** Share of an account in basis points; 0 for one that is no member. */
export function getTeamShare(client: Client, parameters: GetTeamShareParameters): Promise<bigint> {
  const { splitter, account } = parameters
  const call = { abi: splitterAbi, address: splitter, functionName: 'bpsOf' } as const
  return read(client, parameters, { ...call, args: [account] })
}
