import { type Cid, type LeafInput, mapInOrder, type ObjectCipher, PackageInputError, toRawCid } from '@oikos/core'
import type { FolderStore } from './content-store.ts'
import { hashSourceFile, nodeSha256, readSourceFile } from './read-source-file.ts'
import type { SourceFile, SourceFolder } from './scan-folder.ts'

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

/** How the files of a folder become leaves. */
export type PackLeavesOptions = {
  readonly encrypt?: { readonly paths: readonly string[]; readonly cipher: ObjectCipher }
  /** Default {@link DEFAULT_CONCURRENCY}, at most {@link MAX_CONCURRENCY}. */
  readonly concurrency?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: PackProgress) => void
}

/** The leaves of a package by path, and where each public one lies on this machine. */
export type PackedLeaves = {
  readonly leaves: ReadonlyMap<string, LeafInput>
  readonly sources: ReadonlyMap<Cid, SourceFile>
  /** Bytes of a file of the folder, checked to be what was scanned; undefined where there is none. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>
}

/**
 * Hashes the files of a folder, seals those that are to be secret, and puts every published object into the store where one
 * is given. Throws SourceFolderError, PackageInputError, and the reason of an aborted `signal`.
 */
export async function packLeaves(
  source: SourceFolder,
  paths: readonly string[],
  store: FolderStore | undefined,
  options: PackLeavesOptions,
): Promise<PackedLeaves> {
  const files = new Map(source.files.map((file) => [file.path, file]))
  const sources = new Map<Cid, SourceFile>()
  const leaves = new Map<string, LeafInput>()
  const progress = countProgress(source, options.onProgress)
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
  return { leaves, sources, read }
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

function countProgress(source: SourceFolder, onProgress: PackLeavesOptions['onProgress']) {
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
