import { tenderRoyaltyAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { RoyaltyTarget } from './target.ts'

/** Parameters of {@link getRoyaltyTask}. */
export type GetRoyaltyTaskParameters = RoyaltyTarget & AtBlock

/** The task contract that a royalty contract serves. */
export function getRoyaltyTask(client: Client, parameters: GetRoyaltyTaskParameters): Promise<Address> {
  const { royalty } = parameters
  const call = { abi: tenderRoyaltyAbi, address: royalty, functionName: 'TASK' } as const
  return read(client, parameters, { ...call, args: [] })
}
