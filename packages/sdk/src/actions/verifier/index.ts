export {
  type CommitAnswerParameters,
  commitAnswer,
  commitAnswerAndWait,
  simulateCommitAnswer,
} from './commit-answer.ts'
export {
  type CommitAttestorsParameters,
  commitAttestors,
  commitAttestorsAndWait,
  simulateCommitAttestors,
} from './commit-attestors.ts'
export {
  type CommitBatchRootParameters,
  commitBatchRoot,
  commitBatchRootAndWait,
  simulateCommitBatchRoot,
} from './commit-batch-root.ts'
export {
  type CommitSecretsParameters,
  commitSecrets,
  commitSecretsAndWait,
  simulateCommitSecrets,
} from './commit-secrets.ts'
export {
  type CommitStreakParameters,
  commitStreak,
  commitStreakAndWait,
  simulateCommitStreak,
} from './commit-streak.ts'
export { type DeclareMissParameters, declareMiss, declareMissAndWait, simulateDeclareMiss } from './declare-miss.ts'
export { type GetAnswerHashParameters, getAnswerHash } from './get-answer-hash.ts'
export { type GetBatchParameters, getBatch, type ReceiptBatch } from './get-batch.ts'
export { type GetOutcomeDigestParameters, getOutcomeDigest } from './get-outcome-digest.ts'
export { type GetOutcomeThresholdParameters, getOutcomeThreshold } from './get-outcome-threshold.ts'
export { type GetSecretsParameters, getSecrets, type SecretSet } from './get-secrets.ts'
export { type GetStreakParameters, getStreak, type Streak } from './get-streak.ts'
export { type GetStreakProviderParameters, getStreakProvider } from './get-streak-provider.ts'
export { type GetVerifierProfileParameters, getVerifierProfile } from './get-verifier-profile.ts'
export { type HandOverParameters, handOver, handOverAndWait, simulateHandOver } from './hand-over.ts'
export { type HasForfeitedSeatParameters, hasForfeitedSeat } from './has-forfeited-seat.ts'
export { type IsAttestorParameters, isAttestor } from './is-attestor.ts'
export { type IsResultConsumedParameters, isResultConsumed } from './is-result-consumed.ts'
export { type IsSecretSpentParameters, isSecretSpent } from './is-secret-spent.ts'
export { type SignedOutcome, type SignOutcomeParameters, signOutcome } from './sign-outcome.ts'
export type { VerifierTarget } from './target.ts'
