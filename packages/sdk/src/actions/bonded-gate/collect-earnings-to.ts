import { bondedGateAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { GateTarget } from './target.ts'

/** Parameters of {@link collectEarningsTo}. */
export type CollectEarningsToParameters = GateTarget &
  WriteParameters & {
    /** Token contract; the zero address is the native currency. */
    earnedAsset: Address
    /** Who is paid. */
    to: Address
  }

const write = defineWrite({
  abi: bondedGateAbi,
  eventAbi: bondedGateAbi,
  functionName: 'collectTo',
  event: 'Collected',
  contract: ({ gate }: CollectEarningsToParameters) => gate,
  emitter: ({ gate }) => gate,
  args: ({ earnedAsset, to }) => [earnedAsset, to],
})

/** Has all that the sender's desk has earned in an asset sent to another account. Simulates, then sends. */
export const collectEarningsTo = write.send

/** What {@link collectEarningsTo} would do, on the latest state; nothing is sent. */
export const simulateCollectEarningsTo = write.simulate

/** {@link collectEarningsTo}, then waits for the event Collected. */
export const collectEarningsToAndWait = write.sendAndWait
