export { type GetOwedParameters, getOwed } from './get-owed.ts'
export type { OwingTarget } from './target.ts'
export {
  simulateWithdrawOwed,
  type WithdrawOwedParameters,
  withdrawOwed,
  withdrawOwedAndWait,
} from './withdraw-owed.ts'
export {
  simulateWithdrawOwedTo,
  type WithdrawOwedToParameters,
  withdrawOwedTo,
  withdrawOwedToAndWait,
} from './withdraw-owed-to.ts'
