export {
  BATCH_RECEIPT_PROFILE,
  type BatchReceipt,
  batchReceiptLeaf,
  buildReceiptTree,
  encodeReceiptProof,
  MAX_RECEIPT_BYTES,
  MAX_RECEIPTS,
  MIN_RECEIPT_BYTES,
  type ReceiptTree,
  verifyReceiptBranch,
} from './batch-receipt.ts'
export { VerifierProfileError } from './errors.ts'
export { HASHLOCK_PROFILE, hashlockAnswerHash, hashlockResultHash } from './hashlock.ts'
export {
  buildSecretTree,
  encodeSecretProof,
  MAX_SECRETS,
  MERKLE_SECRETS_PROFILE,
  type SecretTree,
  secretLeaf,
  secretResultHash,
  verifySecretBranch,
} from './merkle-secrets.ts'
export { MAX_BRANCH_LENGTH } from './merkle-tree.ts'
export {
  type DeliveryOutcome,
  encodeOutcomeProof,
  MAX_ATTESTORS,
  OUTCOME_DOMAINS,
  type OutcomeDomain,
  type OutcomeProfile,
  type OutcomeTypedData,
  outcomeDigest,
  outcomeTypedData,
  recoverOutcomeSigner,
  SIGNED_OUTCOME_PROFILE,
  STREAK_PROFILE,
  sortAttestors,
} from './signed-outcome.ts'
