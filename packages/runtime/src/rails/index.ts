export { DurableStoreError } from '../durable/database.ts'
export { type RailFailure, type RailFailureListener, type RailOperation, RailRefusalError } from './adapter/call.ts'
export type { BitcoinObservation } from './bitcoin/context.ts'
export { type BitcoinInterface, type BitcoinRail, type BitcoinRailOptions, createBitcoinRail } from './bitcoin/rail.ts'
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
export { openPostgresSentTransactions, type PostgresSentTransactions } from './sent/postgres.ts'
export {
  createMemorySentTransactions,
  type SeenIn,
  type SentTransaction,
  type SentTransactions,
} from './sent/sent-transactions.ts'
export { openSqliteSentTransactions, type SqliteSentTransactions } from './sent/sqlite.ts'
export type { SolanaObservation } from './solana/context.ts'
export type { SolanaFinality } from './solana/node.ts'
export { createSolanaRail, type SolanaRail, type SolanaRailOptions } from './solana/rail.ts'
