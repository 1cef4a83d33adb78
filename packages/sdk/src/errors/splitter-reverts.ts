import type { splitterAbi } from '@oikos/core/abi'
import { pullPaymentsReverts } from './pull-payments-reverts.ts'
import type { RevertTable } from './revert-table.ts'

/** Why a splitter refuses a call. */
export const splitterReverts: RevertTable<typeof splitterAbi> = {
  ...pullPaymentsReverts,
  LengthsDiffer: ({ members, shares }) => ({
    sentence: `There are ${members} members and ${shares} shares.`,
    advice: 'Give each member one share.',
  }),
  MemberCountOutOfRange: ({ count, max }) => ({
    sentence: `A team has from 1 to ${max} members, and ${count} were named.`,
    advice: 'Name fewer members, or one at least; a member may be a splitter itself.',
  }),
  DuplicateMember: ({ member }, say) => ({
    sentence: `${say.address(member)} is named as a member twice.`,
    advice: 'Name each member once, with the sum of its shares.',
  }),
  ZeroShare: ({ member }, say) => ({
    sentence: `${say.address(member)} would have no share.`,
    advice: 'Give it a share, or leave it out.',
  }),
  SharesDoNotAddUp: ({ sum, expected }) => ({
    sentence: `The shares are ${sum} basis points, and have to be ${expected} in all.`,
    advice: 'Correct the shares; one per cent is 100 basis points.',
  }),
  NotMember: ({ caller }, say) => ({
    sentence: `${say.address(caller)} is no member of this team.`,
    advice: 'Deliver from the account of a member.',
  }),
  NothingToDivide: ({ asset }, say) => ({
    sentence: `Nothing has come in that is not divided yet, in the asset ${say.address(asset)}.`,
    advice: 'Wait for a payment to the team, or name another asset.',
    retryable: true,
  }),
}
