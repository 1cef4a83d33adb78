import { tenderRoyaltyAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { TenderRoyaltyTarget } from './target.ts'

/** Parameters of {@link setRoyalty}. */
export type SetRoyaltyParameters = TenderRoyaltyTarget &
  WriteParameters & {
    /** Not zero. */
    receiver: Address
    /** Basis points of the price of a sale, at most 1,000. */
    bps: number
  }

const write = defineWrite({
  abi: tenderRoyaltyAbi,
  eventAbi: tenderRoyaltyAbi,
  functionName: 'setRoyalty',
  event: 'RoyaltySet',
  contract: ({ royalty }: SetRoyaltyParameters) => royalty,
  emitter: ({ royalty }) => royalty,
  args: ({ tokenId, receiver, bps }) => [tokenId, receiver, bps],
})

/** Names the receiver and the rate of the royalty on a tender, once, as its update authority. Simulates, then sends. */
export const setRoyalty = write.send

/** What {@link setRoyalty} would do, on the latest state; nothing is sent. */
export const simulateSetRoyalty = write.simulate

/** {@link setRoyalty}, then waits for the event RoyaltySet. */
export const setRoyaltyAndWait = write.sendAndWait
