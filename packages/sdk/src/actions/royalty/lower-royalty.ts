import { tenderRoyaltyAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { TenderRoyaltyTarget } from './target.ts'

/** Parameters of {@link lowerRoyalty}. */
export type LowerRoyaltyParameters = TenderRoyaltyTarget &
  WriteParameters & {
    /** At most the rate before. */
    bps: number
  }

const write = defineWrite({
  abi: tenderRoyaltyAbi,
  eventAbi: tenderRoyaltyAbi,
  functionName: 'lowerRoyalty',
  event: 'RoyaltySet',
  contract: ({ royalty }: LowerRoyaltyParameters) => royalty,
  emitter: ({ royalty }) => royalty,
  args: ({ tokenId, bps }) => [tokenId, bps],
})

/** Lowers the rate of the royalty on a tender, as its update authority; it never rises. Simulates, then sends. */
export const lowerRoyalty = write.send

/** What {@link lowerRoyalty} would do, on the latest state; nothing is sent. */
export const simulateLowerRoyalty = write.simulate

/** {@link lowerRoyalty}, then waits for the event RoyaltySet. */
export const lowerRoyaltyAndWait = write.sendAndWait
