export { REASONED_ACTIONS, type ReasonedCall, readReasonedCall } from './call.ts'
export { REASONING_CODES, type ReasoningCode } from './codes.ts'
export { ReasonedCallError, ReasoningRecordError } from './errors.ts'
export { MAX_LINKS, MAX_REASONING_URI_BYTES, MAX_RECORD_BYTES, MAX_RECORD_DEPTH } from './limits.ts'
export {
  type BuiltReasoning,
  buildReasoning,
  type EvidenceLink,
  type PackageLink,
  REASONING_SCHEMA,
  type ReasoningBinding,
  type ReasoningClaims,
  type ReasoningInput,
  type ReasoningLinks,
  type ReasoningRecord,
} from './record.ts'
export {
  type ExpectedReasoning,
  REASONING_CHECKS,
  type ReasoningCheck,
  type ReasoningVerdict,
  type UncheckedReasoning,
  verifyReasoning,
} from './verify.ts'
