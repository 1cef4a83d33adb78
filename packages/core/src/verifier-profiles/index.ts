export {
  BATCH_RECEIPT_PROFILE,
  type BatchReceipt,
  batchReceiptLeaf,
  buildReceiptTree,
  encodeReceiptProof,
  MAX_BRANCH_LENGTH,
  MAX_RECEIPT_BYTES,
  MAX_RECEIPTS,
  MIN_RECEIPT_BYTES,
  type ReceiptTree,
  verifyReceiptBranch,
} from './batch-receipt.ts'
export { VerifierProfileError } from './errors.ts'
export { HASHLOCK_PROFILE, hashlockAnswerHash, hashlockResultHash } from './hashlock.ts'
