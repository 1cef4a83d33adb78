import { splitterAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { SplitterTarget } from './target.ts'

/** Parameters of {@link distributeShares}. */
export type DistributeSharesParameters = SplitterTarget &
  WriteParameters & {
    /** Token contract; the zero address is the native currency. */
    sharedAsset: Address
  }

const write = defineWrite({
  abi: splitterAbi,
  eventAbi: splitterAbi,
  functionName: 'distribute',
  event: 'Divided',
  contract: ({ splitter }: DistributeSharesParameters) => splitter,
  emitter: ({ splitter }) => splitter,
  args: ({ sharedAsset }) => [sharedAsset],
})

/** Writes down each member's share of what has come in and was not divided yet; anyone may. A share is rounded down, the
 * remainder is the first member's. withdrawOwed does it too. Simulates, then sends. */
export const distributeShares = write.send

/** What {@link distributeShares} would do, on the latest state; nothing is sent. */
export const simulateDistributeShares = write.simulate

/** {@link distributeShares}, then waits for the event Divided. */
export const distributeSharesAndWait = write.sendAndWait
