export type {
  Action,
  ActionKind,
  ActionOutcome,
  ActionPlan,
  ActionState,
  Decision,
  SignedAttempt,
} from './action.ts'
export { agentKey, identityOf } from './context.ts'
export { LeaseLostError, OperatorOptionError, OperatorStoreError } from './errors.ts'
export { type HealthOptions, type HealthServer, serveHealth } from './health.ts'
export { errorFields, type OperatorLog, silentLog } from './log.ts'
export { createOperator, type Operator, type OperatorHealth, type PassReport } from './operator.ts'
export {
  type BoughtResource,
  type BuyResource,
  DEFAULT_OPERATOR_SETTINGS,
  DEFAULT_TENDER_LIMITS,
  type DeliveryDraft,
  type IdleCapital,
  type OperatorOptions,
  type OperatorSettings,
  type PaidResource,
  type ProvableDelivery,
  type Prover,
  type ResourceNeed,
  type TenderLimits,
} from './options.ts'
export type { Answer, Decider, Option, Question, QuestionKind, UntrustedText } from './question.ts'
export type { OperatorIdentity } from './store/leases.ts'
export type { OperatorReport } from './store/notes.ts'
export type { OperatorStore } from './store/operator-store.ts'
export { openPostgresOperatorStore, type PostgresOperatorStoreOptions } from './store/postgres.ts'
export { openSqliteOperatorStore, type SqliteOperatorStoreOptions } from './store/sqlite.ts'
