export { type BlockSource, blocksFrom, mapInOrder, type Sha256Function } from './blocks.ts'
export { FINDING_CODES, type FindingCode } from './codes.ts'
export type { ObjectCipher, ObjectOpener, OpenedObject } from './confidentiality.ts'
export type { ConfidentialityDescriptor, ConfidentialObject, FulfillmentDescriptor, Manifest } from './documents.ts'
export { BlockTooLargeError, PackageInputError, PackageRootError } from './errors.ts'
export type { Finding, VerdictStatus } from './findings.ts'
export { encodeSortedJson, type JsonObject, type JsonValue, type ParsedJson, parseStrictJson } from './json.ts'
export * from './limits.ts'
export {
  DEFAULT_PRIMARY,
  DEFAULT_SPEC_PROFILE,
  DEFAULT_TERMS,
  type PackPlan,
  type PackRoles,
  planTaskPackage,
} from './pack-plan.ts'
export {
  type AssembledSkill,
  assembleSkillPackage,
  type PackedSkill,
  type PackedSkillRoot,
  type PackSkillOptions,
  packSkillPackage,
  planSkillDocuments,
  planSkillPackage,
  type SkillPlan,
  type SkillRoles,
  type SkillRootInput,
} from './pack-skill.ts'
export {
  type AssembledTask,
  assembleTaskPackage,
  checkEncryptedLeaves,
  checkEncryptedPaths,
  type LeafInput,
  type LeafRole,
  type PackBinding,
  type PackedLeaf,
  type PackedRoot,
  type PackedTask,
  type PackTaskOptions,
  packTaskPackage,
  planDocuments,
  type RootInput,
} from './pack-task.ts'
export { createPackageReader, type PackageReader, type ReadableDocument } from './package-reader.ts'
export { linkAt, listDocuments, type PackageDocument, type PackageView, viewSkill, viewTask } from './package-view.ts'
export { findDocumentPathFault, findPathFault, type PathFault, RESERVED_PATHS } from './paths.ts'
export type { PathEntry, ProfiledEntry } from './root-shape.ts'
export { type RotateTaskOptions, rotateTaskPackage } from './rotate-task.ts'
export * from './sealed/index.ts'
export { packSkillRoot, type SkillRoot, unpackSkillRoot } from './skill-root.ts'
export { packTaskRoot, type TaskRoot, unpackTaskRoot } from './task-root.ts'
export type { PackageFacts, PackageVerdict, Unchecked, VerifyLevel, VerifyOptions } from './verify-package.ts'
export { type SkillVerdict, type VerifySkillOptions, verifySkillPackage } from './verify-skill.ts'
export {
  type PastTaskBinding,
  type TaskBinding,
  type TaskFacts,
  type TaskVerdict,
  type VerifyTaskOptions,
  verifyTaskPackage,
} from './verify-task.ts'
