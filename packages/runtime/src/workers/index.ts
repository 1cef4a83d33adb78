export { IsolationError } from './errors.ts'
export { type Boundary, describeIsolation, ISOLATION_LEVELS, type Isolation, type IsolationLevel } from './isolation.ts'
export type { Worker, WorkFailureCode, WorkLimits, WorkOrder, WorkOutcome, WorkProduct, Workshop } from './worker.ts'
export { createWorkshop, type IsolatedWorkshop, type WorkshopOptions } from './workshop.ts'
