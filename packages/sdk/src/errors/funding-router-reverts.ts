import type { fundingRouterAbi } from '@oikos/core/abi'
import { pullPaymentsReverts } from './pull-payments-reverts.ts'
import type { RevertTable } from './revert-table.ts'

/** Why a funding router refuses a call. */
export const fundingRouterReverts: RevertTable<typeof fundingRouterAbi> = {
  ...pullPaymentsReverts,
  FeeTooHigh: ({ feeBps, max }) => ({
    sentence: `A fee of ${feeBps} basis points is above the limit of ${max}.`,
    advice: 'Set a lower fee; one per cent is 100 basis points.',
  }),
  RefundsStarted: ({ tokenId }) => ({
    sentence: `Task ${tokenId} has given back what came through this router, so it takes no more.`,
    advice: 'Fund another task.',
  }),
  ForwardMismatch: ({ taskContract, taken, expected }, say) => ({
    sentence: `The task contract ${say.address(taskContract)} took ${taken} smallest units where it was given ${expected}.`,
    advice: 'This task contract or its token cannot be funded through the router; nothing was changed.',
  }),
  NothingToRefund: ({ tokenId, funder }, say) => ({
    sentence: `Nothing that ${say.address(funder)} put into task ${tokenId} through this router is left to refund.`,
    advice: 'Check the account and the task; a refund that could not be paid is owed, and is fetched by withdrawing.',
  }),
  UnexpectedPayment: ({ from }, say) => ({
    sentence: `The router takes no native currency from ${say.address(from)} outside of funding and refunds.`,
    advice: 'Fund a task through it instead.',
  }),
  SafeERC20FailedOperation: ({ token }, say) => ({
    sentence: `The token ${say.address(token)} refused an approval.`,
    advice: 'This token cannot be used here.',
  }),
}
