import { fundingRouterAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { RoutedTenderTarget } from './target.ts'

/** Parameters of {@link refundFromRouter}. */
export type RefundFromRouterParameters = RoutedTenderTarget &
  WriteParameters & {
    /** Who funded the tender through the router. */
    funder: Address
  }

const write = defineWrite({
  abi: fundingRouterAbi,
  eventAbi: fundingRouterAbi,
  functionName: 'refund',
  event: 'Refunded',
  contract: ({ router }: RefundFromRouterParameters) => router,
  emitter: ({ router }) => router,
  args: ({ task, tokenId, funder }) => [task, tokenId, funder],
})

/** Pays a funder its share of what a tender gives back, once the tender is over; anyone may. The fee is not given back.
 * Simulates, then sends. */
export const refundFromRouter = write.send

/** What {@link refundFromRouter} would do, on the latest state; nothing is sent. */
export const simulateRefundFromRouter = write.simulate

/** {@link refundFromRouter}, then waits for the event Refunded. */
export const refundFromRouterAndWait = write.sendAndWait
