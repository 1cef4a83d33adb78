export { type RailFailure, type RailFailureListener, type RailOperation, RailRefusalError } from './adapter/call.ts'
export {
  type EndpointAddress,
  type EndpointEffect,
  EndpointError,
  type EndpointFault,
  EndpointFaultError,
  type EndpointLookup,
  type EndpointOptions,
  EndpointsExhaustedError,
  RailOptionError,
  RpcAnswerError,
  WrongNetworkError,
} from './endpoint/index.ts'
export {
  createMemorySentTransactions,
  type SeenIn,
  type SentTransaction,
  type SentTransactions,
} from './sent/sent-transactions.ts'
