import {
  type AssembledSkill,
  assembleSkillPackage,
  checkEncryptedLeaves,
  type PackageHash,
  PackageInputError,
  type PackageLimits,
  planSkillDocuments,
  planSkillPackage,
  RESERVED_PATHS,
  type SkillRoles,
  withLimits,
} from '@oikos/core'
import type { FolderStore } from './content-store.ts'
import { type PackLeavesOptions, packLeaves } from './pack-leaves.ts'
import { type HiddenFiles, scanFolder } from './scan-folder.ts'

/** How a folder is packed as a skill. */
export type PackSkillFolderOptions = SkillRoles &
  HiddenFiles &
  PackLeavesOptions & {
    /** Gets root, documents and objects. Absent: hashes only, nothing is written. */
    readonly store?: FolderStore
    /** The `packageHash` of the version before. */
    readonly prev?: PackageHash
    readonly limits?: Partial<PackageLimits>
  }

/**
 * Packs a folder to a SkillRoot (ERC-8338) whose `packageHash` is what a delivery of it commits to, and puts its objects
 * into a store where one is given, the root last. Plaintext of encrypted files is never written. Throws SourceFolderError,
 * PackageInputError, PackageRootError, and the reason of an aborted `signal`.
 */
export async function packSkillFolder(folder: string, options: PackSkillFolderOptions = {}): Promise<AssembledSkill> {
  const limits = withLimits(options.limits)
  const { store, encrypt, prev } = options
  const source = await scanFolder(folder, { ...options, limits })
  const plan = planSkillPackage(
    source.files.map(({ path }) => path),
    options,
    limits,
  )
  const paths = planSkillDocuments(plan)
  checkEncryptedLeaves(paths, encrypt?.paths ?? [])
  const { leaves, read } = await packLeaves(source, paths, store, options)
  const [primary, manifest] = [await read(plan.primary), await read(RESERVED_PATHS.manifest)]
  if (primary === undefined || manifest === undefined) {
    throw new PackageInputError(plan.primary, 'the document or the manifest is absent')
  }
  const packed = assembleSkillPackage({
    ...{ plan, leaves, primary, manifest, limits },
    ...(prev && { prev }),
    ...(encrypt && { cipher: encrypt.cipher }),
  })
  if (store !== undefined) {
    for (const bytes of packed.documents.values()) await store.put(bytes)
    await store.put(packed.rootBytes, 'dag-cbor')
  }
  return packed
}
