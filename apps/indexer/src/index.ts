export { IndexPlanError } from './plan/plan-error.ts'
export { IndexerFailedError } from './start/errors.ts'
export { type IndexerOptions, type RunningIndexer, startApi, startIndexer } from './start/start-indexer.ts'
