import { fundingRouterAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { RouterTarget } from './target.ts'

/** What a router takes. */
export type RouterTerms = {
  readonly treasury: Address
  /** Basis points of every amount that is paid in. */
  readonly feeBps: bigint
}

/** Parameters of {@link getRouterTerms}. */
export type GetRouterTermsParameters = RouterTarget & AtBlock

/** Whom a router pays its fee, and how much. It never changes. */
export async function getRouterTerms(client: Client, parameters: GetRouterTermsParameters): Promise<RouterTerms> {
  const view = { abi: fundingRouterAbi, address: parameters.router, args: [] } as const
  const [treasury, feeBps] = await Promise.all([
    read(client, parameters, { ...view, functionName: 'TREASURY' }),
    read(client, parameters, { ...view, functionName: 'FEE_BPS' }),
  ])
  return { treasury, feeBps }
}
