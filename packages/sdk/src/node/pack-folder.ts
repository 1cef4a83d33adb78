import { basename, join } from 'node:path'
import {
  assembleTaskPackage,
  type Cid,
  checkEncryptedPaths,
  encodeSortedJson,
  type LeafInput,
  mapInOrder,
  type ObjectCipher,
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
  toRawCid,
  withLimits,
} from '@oikos/core'
import { assertOutside, findOutputPlace, writeFolderAtomically, writeNewFile } from './atomic-folder.ts'
import { type FolderStore, openContentStore } from './content-store.ts'
import { hashSourceFile, nodeSha256, readSourceFile } from './read-source-file.ts'
import { type HiddenFiles, type SourceFile, type SourceFolder, scanFolder } from './scan-folder.ts'

/** Files read at the same time; each holds two pieces of 1 MiB, an encrypted one its whole content twice. */
const DEFAULT_CONCURRENCY = 4

/** Largest number of files read at the same time. */
const MAX_CONCURRENCY = 64

/** How far a packing is. Sizes in bytes of source files. */
export type PackProgress = {
  readonly path: string
  readonly filesDone: number
  readonly files: number
  readonly bytesDone: number
  readonly bytes: number
}

/** How a folder is packed. */
export type PackFolderOptions = PackRoles &
  PackBinding &
  HiddenFiles & {
    /** Folder to create with root, objects and index. Absent: hashes only, nothing is written. */
    readonly output?: string
    /** Name in a manifest that is made; default the folder's name. */
    readonly name?: string
    readonly encrypt?: { readonly paths: readonly string[]; readonly cipher: ObjectCipher }
    readonly limits?: Partial<PackageLimits>
    /** Default {@link DEFAULT_CONCURRENCY}, at most {@link MAX_CONCURRENCY}. */
    readonly concurrency?: number
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: PackProgress) => void
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
  const files = new Map(source.files.map((file) => [file.path, file]))
  const sources = new Map<Cid, SourceFile>()
  const leaves = new Map<string, LeafInput>()
  const progress = countProgress(source, options.onProgress)
  const paths = planDocuments(plan)
  const concurrency = Math.min(options.concurrency ?? DEFAULT_CONCURRENCY, MAX_CONCURRENCY)
  const inputs = await mapInOrder(paths, concurrency, async (path) => {
    options.signal?.throwIfAborted()
    const file = fileAt(files, path)
    const isSecret = options.encrypt?.paths.includes(path) ?? false
    const leaf =
      options.encrypt && isSecret
        ? await sealLeaf(file, options.encrypt.cipher, store)
        : await copyLeaf(file, store, options.signal, progress.bytes)
    if (isSecret) progress.bytes(file.sizeBytes)
    progress.file(path)
    return leaf
  })
  for (const [index, path] of paths.entries()) {
    const leaf = inputs[index]
    if (leaf === undefined) continue
    leaves.set(path, leaf)
    if (leaf.plaintextHash === undefined) sources.set(leaf.cid, fileAt(files, path))
  }
  const read = async (path: string) => (files.has(path) ? readSourceFile(fileAt(files, path)) : undefined)
  const manifest = await read(RESERVED_PATHS.manifest)
  const fulfillment = await read(RESERVED_PATHS.fulfillment)
  const assembled = assembleTaskPackage({
    ...options,
    plan,
    leaves,
    primary: await readSourceFile(fileAt(files, plan.primary)),
    ...(manifest && { manifest }),
    ...(fulfillment && { fulfillment }),
    name: options.name ?? basename(source.folder),
    ...(options.encrypt && { cipher: options.encrypt.cipher }),
  })
  return { ...assembled, sources }
}

function fileAt(files: ReadonlyMap<string, SourceFile>, path: string): SourceFile {
  const file = files.get(path)
  if (file === undefined) throw new PackageInputError(path, 'the file is absent')
  return file
}

async function copyLeaf(
  file: SourceFile,
  store: FolderStore | undefined,
  signal: AbortSignal | undefined,
  onBytes: (count: number) => void,
): Promise<LeafInput> {
  const writer = await store?.openBlock()
  try {
    const digest = await hashSourceFile(file, {
      ...(writer && { sink: writer.write }),
      ...(signal && { signal }),
      onBytes,
    })
    await writer?.close(digest)
    return { cid: toRawCid(digest), sizeBytes: file.sizeBytes }
  } catch (cause) {
    await writer?.discard()
    throw cause
  }
}

async function sealLeaf(file: SourceFile, cipher: ObjectCipher, store: FolderStore | undefined): Promise<LeafInput> {
  const plaintext = await readSourceFile(file)
  const ciphertext = cipher.seal(file.path, plaintext)
  await store?.put(ciphertext)
  return { cid: toRawCid(nodeSha256(ciphertext)), sizeBytes: ciphertext.length, plaintextHash: nodeSha256(plaintext) }
}

function countProgress(source: SourceFolder, onProgress: PackFolderOptions['onProgress']) {
  let filesDone = 0
  let bytesDone = 0
  let path = ''
  const tell = () => onProgress?.({ path, filesDone, files: source.files.length, bytesDone, bytes: source.sizeBytes })
  return {
    bytes: (count: number) => {
      bytesDone += count
      tell()
    },
    file: (donePath: string) => {
      path = donePath
      filesDone++
      tell()
    },
  }
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
