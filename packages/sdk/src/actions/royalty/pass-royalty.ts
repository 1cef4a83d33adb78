import { tenderRoyaltyAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { TenderRoyaltyTarget } from './target.ts'

/** Parameters of {@link passRoyalty}. */
export type PassRoyaltyParameters = TenderRoyaltyTarget &
  WriteParameters & {
    /** Not zero. */
    receiver: Address
  }

const write = defineWrite({
  abi: tenderRoyaltyAbi,
  eventAbi: tenderRoyaltyAbi,
  functionName: 'passRoyalty',
  event: 'RoyaltySet',
  contract: ({ royalty }: PassRoyaltyParameters) => royalty,
  emitter: ({ royalty }) => royalty,
  args: ({ tokenId, receiver }) => [tokenId, receiver],
})

/** Passes the royalty on a tender to another receiver, as the receiver. Simulates, then sends. */
export const passRoyalty = write.send

/** What {@link passRoyalty} would do, on the latest state; nothing is sent. */
export const simulatePassRoyalty = write.simulate

/** {@link passRoyalty}, then waits for the event RoyaltySet. */
export const passRoyaltyAndWait = write.sendAndWait
