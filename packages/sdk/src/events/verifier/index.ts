export { type AnswerCommittedEvent, listAnswerCommitted, watchAnswerCommitted } from './answer-committed.ts'
export { type AttestorsCommittedEvent, listAttestorsCommitted, watchAttestorsCommitted } from './attestors-committed.ts'
export {
  type BatchRootCommittedEvent,
  listBatchRootCommitted,
  watchBatchRootCommitted,
} from './batch-root-committed.ts'
export type { VerifierEventTarget } from './define-verifier-event.ts'
export { listSeatForfeited, type SeatForfeitedEvent, watchSeatForfeited } from './seat-forfeited.ts'
export { listSeatTaken, type SeatTakenEvent, watchSeatTaken } from './seat-taken.ts'
export { listSecretSpent, type SecretSpentEvent, watchSecretSpent } from './secret-spent.ts'
export { listSecretsCommitted, type SecretsCommittedEvent, watchSecretsCommitted } from './secrets-committed.ts'
export { listStreakCommitted, type StreakCommittedEvent, watchStreakCommitted } from './streak-committed.ts'
