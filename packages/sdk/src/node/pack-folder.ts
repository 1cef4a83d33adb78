import { basename, join } from 'node:path'
import {
  assembleTaskPackage,
  type Cid,
  checkEncryptedPaths,
  encodeSortedJson,
  PackageInputError,
  type PackageLimits,
  type PackBinding,
  type PackedRoot,
  type PackPlan,
  type PackRoles,
  planDocuments,
  planTaskPackage,
  type RawCid,
  RESERVED_PATHS,
  withLimits,
} from '@oikos/core'
import { assertOutside, findOutputPlace, writeFolderAtomically, writeNewFile } from './atomic-folder.ts'
import { type FolderStore, openContentStore } from './content-store.ts'
import { type PackLeavesOptions, packLeaves } from './pack-leaves.ts'
import { type HiddenFiles, type SourceFile, type SourceFolder, scanFolder } from './scan-folder.ts'

/** How a folder is packed. */
export type PackFolderOptions = PackRoles &
  PackBinding &
  HiddenFiles &
  PackLeavesOptions & {
    /** Folder to create with root, objects and index. Absent: hashes only, nothing is written. */
    readonly output?: string
    /** Name in a manifest that is made; default the folder's name. */
    readonly name?: string
    readonly limits?: Partial<PackageLimits>
  }

/** A packed folder. */
export type PackedFolder = PackedRoot & {
  /** Bytes of manifest and descriptors; the manifest may have been made. */
  readonly documents: ReadonlyMap<RawCid, Uint8Array>
  /** Where each public leaf lies on this machine. */
  readonly sources: ReadonlyMap<Cid, SourceFile>
  /** The folder that was written. */
  readonly output?: string
}

/** Names inside a packed folder; `objects` is a content store. */
export const PACKED_NAMES = { root: 'root.cbor', objects: 'objects', index: 'index.json' } as const

/**
 * Packs a folder to a TaskRoot and, with `output`, writes root, objects and index to a new folder, which appears whole or
 * not at all. Plaintext of encrypted files is never written. Throws SourceFolderError, OutputFolderError,
 * PackageInputError, PackageRootError, and the reason of an aborted `signal`.
 */
export async function packFolder(folder: string, options: PackFolderOptions = {}): Promise<PackedFolder> {
  const limits = withLimits(options.limits)
  const { signal, output } = options
  const source = await scanFolder(folder, { ...options, limits })
  const plan = planTaskPackage(
    source.files.map(({ path }) => path),
    options,
    limits,
  )
  checkEncryptedPaths(plan, options.encrypt?.paths ?? [])
  if (output === undefined) return packSource(source, plan, undefined, options)
  const place = await findOutputPlace(output)
  await assertOutside(place, source.folder)
  const packed = await writeFolderAtomically(place, signal, async (temporary) => {
    const store = await openContentStore(join(temporary, PACKED_NAMES.objects), { deferSync: true })
    const result = await packSource(source, plan, store, options)
    for (const bytes of result.documents.values()) await store.put(bytes)
    await store.put(result.rootBytes, 'dag-cbor')
    await store.seal()
    await writeNewFile(join(temporary, PACKED_NAMES.root), result.rootBytes, { deferSync: true })
    await writeNewFile(join(temporary, PACKED_NAMES.index), describe(result), { deferSync: true })
    return result
  })
  return { ...packed, output: place.target }
}

async function packSource(
  source: SourceFolder,
  plan: PackPlan,
  store: FolderStore | undefined,
  options: PackFolderOptions,
): Promise<PackedFolder> {
  const { leaves, sources, read } = await packLeaves(source, planDocuments(plan), store, options)
  const manifest = await read(RESERVED_PATHS.manifest)
  const fulfillment = await read(RESERVED_PATHS.fulfillment)
  const primary = await read(plan.primary)
  if (primary === undefined) throw new PackageInputError(plan.primary, 'the file is absent')
  const assembled = assembleTaskPackage({
    ...options,
    ...{ plan, leaves, primary },
    ...(manifest && { manifest }),
    ...(fulfillment && { fulfillment }),
    name: options.name ?? basename(source.folder),
    ...(options.encrypt && { cipher: options.encrypt.cipher }),
  })
  return { ...assembled, sources }
}

/** The index is for people and tools; nothing is believed because it says so. */
function describe({ taskHash, tdHash, rootCid, version, leaves }: PackedFolder): Uint8Array {
  const rows = leaves.map(({ path, role, cid, sizeBytes, encrypted }) => ({ path, role, cid, sizeBytes, encrypted }))
  return encodeSortedJson({
    schema: 'oikos-package-index/1',
    kind: 'task',
    taskHash,
    tdHash,
    rootCid,
    version,
    leaves: rows,
  })
}
