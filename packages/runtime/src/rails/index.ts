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
export type { EvmFinality, EvmObservation } from './evm/context.ts'
export { createEvmRail, type EvmRail, type EvmRailOptions, type EvmRailSettings } from './evm/rail.ts'
export { createMemoryChain, type MemoryBlock, type MemoryChain, type MemoryChainOptions } from './memory/chain.ts'
export { createMemoryRail, type MemoryLine, type MemoryNodeOptions } from './memory/node.ts'
export {
  createMemorySentTransactions,
  type SeenIn,
  type SentTransaction,
  type SentTransactions,
} from './sent/sent-transactions.ts'
export { openSqliteSentTransactions, type SqliteSentTransactions } from './sent/sqlite.ts'
