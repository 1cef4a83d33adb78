import type { Address } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link withdrawCredit}. */
export type WithdrawCreditParameters = TaskTarget &
  WriteParameters & {
    /** To whom a reward is owed that could not be delivered, and who is paid. */
    creditor: Address
  }

const write = defineTaskWrite({
  functionName: 'withdrawCredit',
  event: 'PayoutWithdrawn',
  args: ({ tokenId, creditor }: WithdrawCreditParameters) => [tokenId, creditor],
})

/** Pays a credit out to its creditor. Anyone may. Simulates, then sends. */
export const withdrawCredit = write.send

/** What {@link withdrawCredit} would do, on the latest state; nothing is sent. */
export const simulateWithdrawCredit = write.simulate

/** {@link withdrawCredit}, then waits for the event PayoutWithdrawn. */
export const withdrawCreditAndWait = write.sendAndWait
