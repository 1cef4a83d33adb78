import { bondedGateAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { GateTarget } from './target.ts'

/** Parameters of {@link collectEarnings}. */
export type CollectEarningsParameters = GateTarget &
  WriteParameters & {
    /** Token contract; the zero address is the native currency. */
    earnedAsset: Address
    deliverer: Address
  }

const write = defineWrite({
  abi: bondedGateAbi,
  eventAbi: bondedGateAbi,
  functionName: 'collect',
  event: 'Collected',
  contract: ({ gate }: CollectEarningsParameters) => gate,
  emitter: ({ gate }) => gate,
  args: ({ earnedAsset, deliverer }) => [earnedAsset, deliverer],
})

/** Sends a deliverer all that its desk has earned in an asset; anyone may. Simulates, then sends. */
export const collectEarnings = write.send

/** What {@link collectEarnings} would do, on the latest state; nothing is sent. */
export const simulateCollectEarnings = write.simulate

/** {@link collectEarnings}, then waits for the event Collected. */
export const collectEarningsAndWait = write.sendAndWait
