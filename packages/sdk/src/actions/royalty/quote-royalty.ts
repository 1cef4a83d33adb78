import { tenderRoyaltyAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { TenderRoyaltyTarget } from './target.ts'

/** What one sale owes. */
export type RoyaltyQuote = {
  /** Zero address where no royalty was set. */
  readonly receiver: Address
  /** In the units of the price. */
  readonly amountAtomic: bigint
}

/** Parameters of {@link quoteRoyalty}. */
export type QuoteRoyaltyParameters = TenderRoyaltyTarget &
  AtBlock & {
    /** Smallest units of whatever the sale is priced in. */
    salePriceAtomic: bigint
  }

/** What a sale of a tender owes as its royalty, rounded down. Source: ERC-2981. */
export async function quoteRoyalty(client: Client, parameters: QuoteRoyaltyParameters): Promise<RoyaltyQuote> {
  const { royalty, tokenId, salePriceAtomic } = parameters
  const call = { abi: tenderRoyaltyAbi, address: royalty, functionName: 'royaltyInfo' } as const
  const [receiver, amountAtomic] = await read(client, parameters, { ...call, args: [tokenId, salePriceAtomic] })
  return { receiver, amountAtomic }
}
