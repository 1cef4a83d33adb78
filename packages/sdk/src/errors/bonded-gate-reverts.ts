import type { bondedGateAbi } from '@oikos/core/abi'
import { agentFactoryReverts } from './agent-factory-reverts.ts'
import { pullPaymentsReverts } from './pull-payments-reverts.ts'
import type { RevertTable } from './revert-table.ts'
import { taskTokenReverts } from './task-token-reverts.ts'

/** Why a bonded gate refuses a call. */
export const bondedGateReverts: RevertTable<typeof bondedGateAbi> = {
  ...pullPaymentsReverts,

  // deployment
  ZeroBond: () => ({
    sentence: 'The bond is zero.',
    advice: 'Name at least one smallest unit, or do without a gate.',
  }),
  LossOutOfRange: ({ bps, max }) => ({
    sentence: `A loss of ${bps} basis points is more than the bond, which is ${max}.`,
    advice: 'One per cent is 100 basis points.',
  }),
  BadBeneficiary: ({ beneficiary }, say) => ({
    sentence: `${say.address(beneficiary)} cannot be the beneficiary of lost bonds.`,
    advice:
      'Name somebody who is neither the judge nor the gate where something can be lost, and nobody where nothing can.',
  }),

  // deliveries and their bonds
  NotBonded: ({ tokenId, submissionId }) => ({
    sentence: `No bond is held for delivery ${submissionId} to task ${tokenId}.`,
    advice: 'It was made without this gate, or its bond is settled already.',
  }),
  DeliveryIsBonded: ({ tokenId, submissionId }) => ({
    sentence: `Delivery ${submissionId} to task ${tokenId} carries a bond, so it cannot be evicted.`,
    advice: 'Have it judged.',
  }),
  DeliveryPending: ({ tokenId, submissionId }) => ({
    sentence: `Delivery ${submissionId} to task ${tokenId} is not decided yet, so its bond stays.`,
    advice: 'Settle the bond after the decision.',
    retryable: true,
  }),
  NothingToCollect: ({ asset, deliverer }, say) => ({
    sentence: `The desk of ${say.address(deliverer)} has nothing to give in the asset ${say.address(asset)}.`,
    advice: 'Its rewards may have been collected already, since anyone can; or the recipient refused them.',
  }),
  FailedDeployment: agentFactoryReverts.FailedDeployment,
  InsufficientBalance: taskTokenReverts.InsufficientBalance,

  // the judgment slot
  NotJudge: ({ caller, judge }, say) => ({
    sentence: `Only the judge ${say.address(judge)} rules through this gate; the caller is ${say.address(caller)}.`,
    advice: 'Send it from the judge that the rule of the gate names.',
  }),
}
