import { juryPanelAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { OwingTarget } from './target.ts'

/** Parameters of {@link getOwed}. */
export type GetOwedParameters = OwingTarget &
  AtBlock & {
    /** Token contract; the zero address is the native currency. */
    owedAsset: Address
    account: Address
  }

/** What a companion has written down for an account and not paid yet, in smallest units. */
export function getOwed(client: Client, parameters: GetOwedParameters): Promise<bigint> {
  const { companion, owedAsset, account } = parameters
  const call = { abi: juryPanelAbi, address: companion, functionName: 'owedOf' } as const
  return read(client, parameters, { ...call, args: [owedAsset, account] })
}
