import { fundingRouterAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { RoutedTenderTarget } from './target.ts'

/** Parameters of {@link getRoutedContribution}. */
export type GetRoutedContributionParameters = RoutedTenderTarget &
  AtBlock & {
    funder: Address
  }

/** What a funder has in a tender through a router, net of the fee and not refunded yet, in smallest units. */
export function getRoutedContribution(client: Client, parameters: GetRoutedContributionParameters): Promise<bigint> {
  const { router, task, tokenId, funder } = parameters
  const call = { abi: fundingRouterAbi, address: router, functionName: 'contributionOf' } as const
  return read(client, parameters, { ...call, args: [task, tokenId, funder] })
}
