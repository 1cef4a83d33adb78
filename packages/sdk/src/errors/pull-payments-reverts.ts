import type { juryPanelAbi } from '@oikos/core/abi'
import type { RevertTable } from './revert-table.ts'
import { taskTokenReverts } from './task-token-reverts.ts'

/** Errors of every companion that holds money for others; see PullPayments.sol. */
type PullPaymentsError =
  | 'BadRecipient'
  | 'DepositMismatch'
  | 'NothingOwed'
  | 'PaymentFailed'
  | 'ReentrancyGuardReentrantCall'
  | 'UnreadableBalance'
  | 'WrongNativeValue'
  | 'ZeroAmount'

/** Why a companion that holds money refuses a payment. */
export const pullPaymentsReverts: Pick<RevertTable<typeof juryPanelAbi>, PullPaymentsError> = {
  BadRecipient: ({ to }, say) => ({
    sentence: `${say.address(to)} cannot be paid from here: it is zero, or the contract itself.`,
    advice: 'Name another account.',
  }),
  DepositMismatch: ({ asset, received, expected }, say) => ({
    sentence: `Of the token ${say.address(asset)}, ${received} smallest units arrived where ${expected} were to come in.`,
    advice:
      received === 0n
        ? 'Check your balance, and approve this contract to spend the amount; a token may also have blocked the transfer.'
        : 'This token takes a fee on transfers; it cannot be used here.',
  }),
  NothingOwed: ({ asset, account }, say) => ({
    sentence: `Nothing is owed to ${say.address(account)} in the asset ${say.address(asset)}.`,
    advice: 'It may have been paid already, since anyone can have an account paid; or ask for another asset.',
  }),
  PaymentFailed: ({ to, moved, expected }, say) => ({
    sentence: `${moved} of ${expected} smallest units could be moved to ${say.address(to)}; nothing was changed.`,
    advice: 'The recipient or the token refused the payment; who is owed can have it sent to another account.',
  }),
  ReentrancyGuardReentrantCall: () => ({
    sentence: 'The contract is in the middle of another call, which tried to enter it again.',
    advice: 'Call it outside of a payment that it makes.',
  }),
  UnreadableBalance: taskTokenReverts.UnreadableBalance,
  WrongNativeValue: ({ got, expected }) => ({
    sentence: `The call carries ${got} wei; expected are exactly ${expected} wei.`,
    advice:
      expected === 0n
        ? 'This is paid in a token: send no native currency with the call.'
        : 'Send exactly the amount that the call names.',
  }),
  ZeroAmount: taskTokenReverts.ZeroAmount,
}
