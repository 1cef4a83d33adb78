import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  createPackageReader,
  RESERVED_PATHS,
  type SkillVerdict,
  type TaskVerdict,
  type VerifyOptions,
  type VerifySkillOptions,
  type VerifyTaskOptions,
  verifySkillPackage,
  verifyTaskPackage,
} from '@oikos/core'
import { findOutputPlace, writeFolderAtomically, writeNewFile } from './atomic-folder.ts'
import { OutputFolderError, PackageRefusedError } from './errors.ts'
import { findNameCollision } from './name-collisions.ts'
import { nodeSha256 } from './read-source-file.ts'

/** A file that was written. */
export type UnpackedFile = { readonly path: string; readonly sizeBytes: number; readonly decrypted: boolean }

/** Where and how a package is unpacked. */
type Unpacking = {
  /** Folder to create. */
  readonly output: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: {
    readonly path: string
    readonly filesDone: number
    readonly files: number
  }) => void
}

/** How a task package is unpacked; everything that the package must agree with is checked first. */
export type UnpackOptions = Omit<VerifyTaskOptions, 'level'> & Unpacking

/** As {@link UnpackOptions}, of a skill package. */
export type UnpackSkillOptions = Omit<VerifySkillOptions, 'level'> & Unpacking

/** What was written. */
type Unpacked = {
  readonly output: string
  readonly files: readonly UnpackedFile[]
  /** Encrypted paths that no given key opens; they are not written. */
  readonly skipped: readonly string[]
}

/** An unpacked task package. */
export type UnpackedPackage = Unpacked & { readonly verdict: TaskVerdict }

/** An unpacked skill package. */
export type UnpackedSkill = Unpacked & { readonly verdict: SkillVerdict }

/**
 * Verifies a package and writes its documents and files to a new folder, which appears whole or not at all; nothing is
 * overwritten and nothing lands outside. The confidentiality descriptor is not written: the folder holds plaintext and
 * can be packed again. Decrypted files are readable by the owner only. Throws PackageRefusedError, OutputFolderError,
 * PackageInputError, and the reason of an aborted `signal`.
 */
export async function unpackPackage(options: UnpackOptions): Promise<UnpackedPackage> {
  const place = await findOutputPlace(options.output)
  const verdict = await verifyTaskPackage({ ...options, level: 'objects', hash: options.hash ?? nodeSha256 })
  return { ...(await writePackage(place, verdict, options)), verdict }
}

/** As {@link unpackPackage}, of a skill package (ERC-8338). Nothing of it is run. */
export async function unpackSkillPackage(options: UnpackSkillOptions): Promise<UnpackedSkill> {
  const place = await findOutputPlace(options.output)
  const verdict = await verifySkillPackage({ ...options, level: 'objects', hash: options.hash ?? nodeSha256 })
  return { ...(await writePackage(place, verdict, options)), verdict }
}

async function writePackage(
  place: Awaited<ReturnType<typeof findOutputPlace>>,
  verdict: TaskVerdict | SkillVerdict,
  options: VerifyOptions & Unpacking,
): Promise<Unpacked> {
  const { source, signal } = options
  const { root } = verdict
  if (!verdict.ok || root === undefined) throw new PackageRefusedError(verdict)
  signal?.throwIfAborted()
  const reader = await createPackageReader({ ...options, root, source })
  const readable = reader.documents.filter(
    ({ path, state }) => state !== 'ciphertext' && path !== RESERVED_PATHS.confidentiality,
  )
  const skipped = reader.documents.filter(({ state }) => state === 'ciphertext').map(({ path }) => path)
  const collision = findNameCollision(readable.map(({ path }) => path))
  if (collision !== undefined)
    throw new OutputFolderError(
      'name-collision',
      collision.path,
      `it is the same as ${JSON.stringify(collision.other)} on some file systems`,
    )
  const files = await writeFolderAtomically(place, signal, async (folder) => {
    const written: UnpackedFile[] = []
    for (const document of readable) {
      signal?.throwIfAborted()
      const bytes = await reader.read(document)
      const decrypted = document.state === 'decrypted'
      const file = join(folder, ...document.path.split('/'))
      await mkdir(dirname(file), { recursive: true })
      await writeNewFile(file, bytes, { mode: decrypted ? 0o600 : 0o666, deferSync: true })
      written.push({ path: document.path, sizeBytes: bytes.length, decrypted })
      options.onProgress?.({ path: document.path, filesDone: written.length, files: readable.length })
    }
    return written
  })
  return { output: place.target, files, skipped }
}
