import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BlockSource,
  type Cid,
  type Finding,
  type TaskHash,
  type TaskVerdict,
  toDagCborCid,
  type VerifyTaskOptions,
  verifyTaskPackage,
  withLimits,
} from '@oikos/core'
import { readBlock } from './content-store.ts'
import { SourceFolderError } from './errors.ts'
import { PACKED_NAMES, type PackedFolder, type PackFolderOptions, packFolder } from './pack-folder.ts'
import { nodeSha256, readSourceFile } from './read-source-file.ts'
import type { SourceFile } from './scan-folder.ts'

/** What a folder must agree with. */
export type VerifyFolderOptions = Omit<VerifyTaskOptions, 'source' | 'taskHash'> & {
  /** The on-chain hash. Absent: the folder is judged by itself. */
  readonly taskHash?: TaskHash
  /** How a source folder is to be packed; not used for a packed one. */
  readonly packing?: Omit<PackFolderOptions, 'output' | 'limits'>
}

/** The verdict on a folder, which of both kinds it is, and the hash that it has. */
export type FolderVerdict = TaskVerdict & { readonly kind: 'packed' | 'source'; readonly taskHash: TaskHash }

/**
 * Verifies a packed folder (one with `root.cbor`) from its objects, or a source folder by packing it in memory and
 * comparing. Findings about the package are in the verdict; throws SourceFolderError and PackageRootError when a source
 * folder cannot be packed at all.
 */
export async function verifyFolder(folder: string, options: VerifyFolderOptions = {}): Promise<FolderVerdict> {
  const rootFile = join(folder, PACKED_NAMES.root)
  const state = await lstat(rootFile, { bigint: true }).catch(() => undefined)
  if (state?.isFile())
    return verifyPacked(
      folder,
      { path: PACKED_NAMES.root, file: rootFile, sizeBytes: Number(state.size), state },
      options,
    )
  const packed = await packFolder(folder, { ...options.packing, ...(options.limits && { limits: options.limits }) })
  return verifySource(packed, options)
}

async function verifyPacked(
  folder: string,
  rootFile: SourceFile,
  options: VerifyFolderOptions,
): Promise<FolderVerdict> {
  const limits = withLimits(options.limits)
  if (rootFile.sizeBytes > limits.rootBytes)
    throw new SourceFolderError(
      'file-too-large',
      rootFile.path,
      `${rootFile.sizeBytes} bytes, at most ${limits.rootBytes} are allowed`,
    )
  const rootBytes = await readSourceFile(rootFile)
  const objects = join(folder, PACKED_NAMES.objects)
  const own = nodeSha256(rootBytes) as TaskHash
  return verifyAgainst(own, 'packed', options, async (cid, { maxBytes }) =>
    cid === toDagCborCid(own) ? rootBytes : await readBlock(objects, cid, maxBytes),
  )
}

async function verifySource(packed: PackedFolder, options: VerifyFolderOptions): Promise<FolderVerdict> {
  const blocks = new Map<Cid, Uint8Array>([...packed.documents, [packed.rootCid, packed.rootBytes]])
  return verifyAgainst(packed.taskHash, 'source', options, async (cid) => {
    const file = packed.sources.get(cid)
    return file === undefined ? blocks.get(cid) : await readSourceFile(file)
  })
}

async function verifyAgainst(
  own: TaskHash,
  kind: FolderVerdict['kind'],
  options: VerifyFolderOptions,
  get: BlockSource['get'],
): Promise<FolderVerdict> {
  const verdict = await verifyTaskPackage({
    ...options,
    taskHash: own,
    source: { get },
    hash: options.hash ?? nodeSha256,
  })
  const expected = options.taskHash ?? own
  if (expected === own) return { ...verdict, kind, taskHash: own }
  const message = `the folder has ${own}, expected ${expected} as on chain`
  const mismatch: Finding = { code: 'root.hash-mismatch', where: 'root', message }
  return { ...verdict, ok: false, status: 'invalid', findings: [mismatch, ...verdict.findings], kind, taskHash: own }
}
