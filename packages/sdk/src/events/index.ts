export * from './agent/index.ts'
export * from './agent-factory/index.ts'
export * from './bonded-gate/index.ts'
export { collectEvents, type EventCollection, MAX_COLLECTED_PAGES } from './collect-events.ts'
export type { ContractEvent } from './contract-event.ts'
export * from './funding-router/index.ts'
export * from './jury/index.ts'
export {
  type BlockRange,
  type EventPage,
  listEvents,
  MAX_BLOCKS_PER_REQUEST,
  MAX_EVENTS_PER_PAGE,
  MAX_REQUESTS_PER_PAGE,
} from './list-events.ts'
export * from './pull-payments/index.ts'
export * from './royalty/index.ts'
export * from './scope/index.ts'
export * from './splitter/index.ts'
export * from './task/index.ts'
export * from './valuation/index.ts'
export * from './verifier/index.ts'
export type { WatchParameters } from './watch-events.ts'
