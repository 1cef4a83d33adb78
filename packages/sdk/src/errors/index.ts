export {
  AccountMissingError,
  InsufficientFundsError,
  NoContractError,
  RequestRejectedError,
  RpcError,
  UnexpectedError,
  WrongChainError,
} from './chain-errors.ts'
export { ContractRevertedError } from './contract-reverted-error.ts'
export { type ExplainedRevert, explainRevert } from './explain-revert.ts'
export { OikosError, type OikosErrorOptions } from './oikos-error.ts'
export { ReasoningMismatchError } from './reasoning-errors.ts'
export { type ErrorContext, toOikosError } from './to-oikos-error.ts'
export {
  SendOutcomeUnknownError,
  TransactionPendingError,
  TransactionRefusedError,
  TransactionRevertedError,
  UnexpectedReceiptError,
} from './transaction-errors.ts'
