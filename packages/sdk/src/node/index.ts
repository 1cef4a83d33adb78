export * from '../content/index.ts'
export {
  type CollectionPlan,
  CollectionRefusedError,
  type CollectionRequest,
  type CollectionResult,
  DEFAULT_GRACE_MS,
  planCollection,
  runCollection,
  type Uncited,
} from './collect-content.ts'
export { type BlockState, type BlockWriter, type FolderStore, openContentStore } from './content-store.ts'
export {
  CorruptBlockError,
  OutputFolderError,
  type OutputFolderFault,
  PackageRefusedError,
  SourceFolderError,
  type SourceFolderFault,
} from './errors.ts'
export * from './gateway/index.ts'
export { type ImportedCar, importCar } from './import-car.ts'
export { readLocalFile } from './local-file.ts'
export { findNameCollision, type NameCollision } from './name-collisions.ts'
export {
  PACKED_NAMES,
  type PackedFolder,
  type PackFolderOptions,
  packFolder,
} from './pack-folder.ts'
export type { PackProgress } from './pack-leaves.ts'
export { type PackSkillFolderOptions, packSkillFolder } from './pack-skill-folder.ts'
export { nodeSha256 } from './read-source-file.ts'
export type { SourceFile } from './scan-folder.ts'
export { type StoreLock, StoreLockedError } from './store-lock.ts'
export {
  type UnpackedFile,
  type UnpackedPackage,
  type UnpackedSkill,
  type UnpackOptions,
  type UnpackSkillOptions,
  unpackPackage,
  unpackSkillPackage,
} from './unpack-package.ts'
export { type FolderVerdict, type VerifyFolderOptions, verifyFolder } from './verify-folder.ts'
