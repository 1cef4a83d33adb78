import { fundingRouterAbi } from '@oikos/core/abi'
import { zeroAddress } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import { getTenderTerms } from '../task/get-tender-terms.ts'
import type { RoutedTenderTarget } from './target.ts'

/** Parameters of {@link fundTaskThroughRouter}. */
export type FundTaskThroughRouterParameters = RoutedTenderTarget &
  WriteParameters & {
    /** Smallest units of the asset of the tender, the fee included; greater than zero. */
    amountAtomic: bigint
  }

const write = defineWrite({
  abi: fundingRouterAbi,
  eventAbi: fundingRouterAbi,
  functionName: 'fund',
  event: 'Funded',
  contract: ({ router }: FundTaskThroughRouterParameters) => router,
  emitter: ({ router }) => router,
  args: ({ task, tokenId, amountAtomic }) => [task, tokenId, amountAtomic],
  value: async (client, { task, tokenId, amountAtomic }) => {
    const { asset } = await getTenderTerms(client, { task, tokenId })
    return asset === zeroAddress ? amountAtomic : 0n
  },
})

/** Puts money into a tender less the fee of the router. Native currency goes with the call; of a token, the router must be
 * approved for the amount first (approveAsset). Simulates, then sends. */
export const fundTaskThroughRouter = write.send

/** What {@link fundTaskThroughRouter} would do, on the latest state; nothing is sent. */
export const simulateFundTaskThroughRouter = write.simulate

/** {@link fundTaskThroughRouter}, then waits for the event Funded. */
export const fundTaskThroughRouterAndWait = write.sendAndWait
