export type { RoyaltyEventTarget } from './define-royalty-event.ts'
export { listRoyaltySet, type RoyaltySetEvent, watchRoyaltySet } from './royalty-set.ts'
