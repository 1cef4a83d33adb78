export type { Worker, WorkFailureCode, WorkLimits, WorkOrder, WorkOutcome, WorkProduct, Workshop } from './worker.ts'
