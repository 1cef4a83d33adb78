export {
  type CommitAnswerParameters,
  commitAnswer,
  commitAnswerAndWait,
  simulateCommitAnswer,
} from './commit-answer.ts'
export {
  type CommitBatchRootParameters,
  commitBatchRoot,
  commitBatchRootAndWait,
  simulateCommitBatchRoot,
} from './commit-batch-root.ts'
export { type GetAnswerHashParameters, getAnswerHash } from './get-answer-hash.ts'
export { type GetBatchParameters, getBatch, type ReceiptBatch } from './get-batch.ts'
export { type GetVerifierProfileParameters, getVerifierProfile } from './get-verifier-profile.ts'
export { type HandOverParameters, handOver, handOverAndWait, simulateHandOver } from './hand-over.ts'
export { type IsResultConsumedParameters, isResultConsumed } from './is-result-consumed.ts'
export type { VerifierTarget } from './target.ts'
