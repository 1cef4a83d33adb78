export * from './agent/index.ts'
export * from './agent-factory/index.ts'
export { collectEvents, type EventCollection, MAX_COLLECTED_PAGES } from './collect-events.ts'
export type { ContractEvent } from './contract-event.ts'
export {
  type BlockRange,
  type EventPage,
  MAX_BLOCKS_PER_REQUEST,
  MAX_EVENTS_PER_PAGE,
  MAX_REQUESTS_PER_PAGE,
} from './list-events.ts'
export * from './scope/index.ts'
export * from './task/index.ts'
export * from './valuation/index.ts'
export { type AnswerCommittedEvent, listAnswerCommitted, watchAnswerCommitted } from './verifier/answer-committed.ts'
export {
  type BatchRootCommittedEvent,
  listBatchRootCommitted,
  watchBatchRootCommitted,
} from './verifier/batch-root-committed.ts'
export type { VerifierEventTarget } from './verifier/define-verifier-event.ts'
export type { WatchParameters } from './watch-events.ts'
