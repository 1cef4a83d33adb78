import type { tenderRoyaltyAbi } from '@oikos/core/abi'
import type { RevertTable } from './revert-table.ts'
import { hashlockVerifierReverts } from './verifier-reverts.ts'

/** Why a royalty contract refuses a call. */
export const tenderRoyaltyReverts: RevertTable<typeof tenderRoyaltyAbi> = {
  NotPublisher: hashlockVerifierReverts.NotPublisher,
  NotReceiver: ({ caller, receiver }, say) => ({
    sentence: `Only the receiver ${say.address(receiver)} may pass the royalty on; the caller is ${say.address(caller)}.`,
    advice: 'Send it from the receiver.',
  }),
  ZeroReceiver: () => ({
    sentence: 'The receiver of the royalty is zero.',
    advice: 'Name an account; to end a royalty, lower it to zero.',
  }),
  RoyaltyTooHigh: ({ bps, max }) => ({
    sentence: `A royalty of ${bps} basis points is above ${max}, which is the limit here.`,
    advice: 'Set a lower rate: at most 1,000 at first, and never more than before.',
  }),
  RoyaltyAlreadySet: ({ tokenId }) => ({
    sentence: `The royalty on task ${tokenId} is set already.`,
    advice: 'Lower it, or have its receiver pass it on.',
  }),
  RoyaltyNotSet: ({ tokenId }) => ({
    sentence: `There is no royalty on task ${tokenId}.`,
    advice: 'Set it first.',
  }),
}
