export { CarError, type CarFault } from './car-error.ts'
export { type CarLimits, DEFAULT_CAR_LIMITS } from './car-limits.ts'
export { type ContentStore, shardOf } from './content-store.ts'
export { type CarPlan, type ExportCarOptions, exportCar, planCar } from './export-car.ts'
export type { FetchFunction, FetchOutcome } from './fetch-bytes.ts'
export { type FetchDeliveryOptions, type FetchedDelivery, fetchDelivery } from './fetch-delivery.ts'
export { type FetchedTask, type FetchTaskOptions, fetchTaskPackage } from './fetch-task-package.ts'
export { findCidsInText, listPackageLinks } from './links.ts'
export * from './pin/index.ts'
export {
  type Attempt,
  type ContentResolver,
  createContentResolver,
  DEFAULT_RESOLVER_LIMITS,
  MAX_ATTEMPTS,
  MAX_GATEWAYS,
  type ReportingSource,
  type ResolvedBytes,
  type ResolveOptions,
  type ResolverLimits,
  type ResolverOptions,
} from './resolver.ts'
export { ResolverOptionError } from './resolver-error.ts'
export { ReasoningNotStoredError, storeReasoning } from './store-reasoning.ts'
export type { StoredReasoning } from './stored-reasoning.ts'
