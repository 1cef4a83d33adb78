import type { TaskHash } from '../digest/index.ts'
import type { BlockSource } from './blocks.ts'
import type { ObjectCipher, ObjectOpener } from './confidentiality.ts'
import { PackageInputError } from './errors.ts'
import type { PackageLimits } from './limits.ts'
import { type PackedTask, packTaskPackage } from './pack-task.ts'
import { createPackageReader } from './package-reader.ts'
import { RESERVED_PATHS } from './paths.ts'
import { verifyTaskPackage } from './verify-task.ts'

/** A package to publish again under fresh keys. */
export type RotateTaskOptions = {
  readonly source: BlockSource
  /** The version that the chain holds now. */
  readonly taskHash: TaskHash
  readonly version: bigint
  /** Opens what is encrypted now. */
  readonly opener: ObjectOpener
  /** A fresh cipher for the recipients from now on; a removed recipient is simply not among them. */
  readonly cipher: ObjectCipher
  /** Paths to encrypt; default: those that are encrypted now. */
  readonly paths?: readonly string[]
  /** A manifest with a new taskVersion; default: the present bytes. */
  readonly manifest?: Uint8Array
  readonly limits?: Partial<PackageLimits>
}

/**
 * Re-encrypts a package as its next version: same plaintext, fresh keys, `prev` set. What a removed recipient has read
 * already stays read. Throws PackageInputError when the present version cannot be verified or opened.
 * Source: ERC-8414, Confidentiality descriptor ("key rotation re-encrypts content and is published as a version update").
 */
export async function rotateTaskPackage(options: RotateTaskOptions): Promise<PackedTask> {
  const { source, taskHash, opener } = options
  const limits = options.limits ?? {}
  const verdict = await verifyTaskPackage({ source, taskHash, openers: [opener], limits })
  const { root } = verdict
  if (root === undefined || !verdict.ok) {
    const first = verdict.findings[0]
    throw new PackageInputError('package', `the present version is ${verdict.status}: ${first?.code} ${first?.message}`)
  }
  const reader = await createPackageReader({ root, source, openers: [opener], limits })
  const sealed = reader.documents.filter(({ state }) => state !== 'public')
  const unreadable = sealed.find(({ state }) => state === 'ciphertext')
  if (unreadable) throw new PackageInputError(unreadable.path, `profile ${opener.profile} does not open this package`)
  const files = new Map<string, Uint8Array>()
  for (const document of reader.documents)
    if (document.cid !== root.confidentiality) files.set(document.path, await reader.read(document))
  if (options.manifest) files.set(RESERVED_PATHS.manifest, options.manifest)
  return packTaskPackage({
    files,
    primary: root.td.path,
    spec: root.spec.path,
    specProfile: root.spec.profile,
    ...(root.acceptance && { acceptance: root.acceptance.path, acceptanceProfile: root.acceptance.profile }),
    ...(root.terms && { terms: root.terms.path }),
    version: options.version + 1n,
    prev: taskHash,
    encrypt: { paths: options.paths ?? sealed.map(({ path }) => path), cipher: options.cipher },
    limits,
  })
}
