import { fundingRouterAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { RouterTarget } from './target.ts'

/** Parameters of {@link quoteRouterFee}. */
export type QuoteRouterFeeParameters = RouterTarget &
  AtBlock & {
    amountAtomic: bigint
  }

/** The fee on an amount in smallest units, rounded down. */
export function quoteRouterFee(client: Client, parameters: QuoteRouterFeeParameters): Promise<bigint> {
  const { router, amountAtomic } = parameters
  const call = { abi: fundingRouterAbi, address: router, functionName: 'feeOf' } as const
  return read(client, parameters, { ...call, args: [amountAtomic] })
}
