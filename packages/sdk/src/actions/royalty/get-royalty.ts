import { tenderRoyaltyAbi } from '@oikos/core/abi'
import { type Address, type Client, zeroAddress } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { TenderRoyaltyTarget } from './target.ts'

/** A royalty on secondary sales. */
export type Royalty = {
  readonly receiver: Address
  /** Basis points of the price of a sale. */
  readonly bps: number
}

/** Parameters of {@link getRoyalty}. */
export type GetRoyaltyParameters = TenderRoyaltyTarget & AtBlock

/** The royalty on a tender, or undefined where none was set. */
export async function getRoyalty(client: Client, parameters: GetRoyaltyParameters): Promise<Royalty | undefined> {
  const call = { abi: tenderRoyaltyAbi, address: parameters.royalty, functionName: 'royaltyOf' } as const
  const [receiver, bps] = await read(client, parameters, { ...call, args: [parameters.tokenId] })
  return receiver === zeroAddress ? undefined : { receiver, bps }
}
