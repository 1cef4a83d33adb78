export type { OwingEventTarget } from './define-owing-event.ts'
export { listOwedWithdrawn, type OwedWithdrawnEvent, watchOwedWithdrawn } from './owed-withdrawn.ts'
