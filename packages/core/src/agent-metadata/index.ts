export { type AgentCode, hasSelector, readAgentCode } from './clone-code.ts'
export { METADATA_CODES, type MetadataCode } from './codes.ts'
export {
  type AgentMetadata,
  AgentMetadataError,
  type BuiltMetadata,
  buildAgentMetadata,
  MAX_METADATA_BYTES,
  type OikosProperties,
  RECLAIM_METHOD,
  type ReclaimDisclosure,
} from './document.ts'
export {
  type AgentFacts,
  METADATA_CHECKS,
  type MetadataCheck,
  type MetadataVerdict,
  verifyAgentMetadata,
} from './verify.ts'
