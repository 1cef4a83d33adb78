import type { Cid } from '../digest/index.ts'
import { type BlockSource, getChecked } from './blocks.ts'
import type { ObjectOpener } from './confidentiality.ts'
import { type ConfidentialityDescriptor, readConfidentiality } from './documents.ts'
import { PackageInputError } from './errors.ts'
import { type Findings, noFindings } from './findings.ts'
import { type PackageLimits, withLimits } from './limits.ts'
import { listDocuments, viewSkill, viewTask } from './package-view.ts'
import { RESERVED_PATHS } from './paths.ts'
import type { SkillRoot } from './skill-root.ts'
import type { TaskRoot } from './task-root.ts'

/** One document to read: public, opened with a key, or ciphertext that no given opener can open. */
export type ReadableDocument = {
  readonly path: string
  readonly cid: Cid
  readonly state: 'public' | 'decrypted' | 'ciphertext'
}

/** The documents of a verified package, manifest and descriptors included, each read when asked for. */
export type PackageReader = {
  readonly documents: readonly ReadableDocument[]
  /** Bytes of one document, checked again against its CID. Throws PackageInputError when they cannot be had. */
  readonly read: (document: ReadableDocument) => Promise<Uint8Array>
}

/** Opens a package for reading after it was verified. Throws PackageInputError when the descriptor cannot be had. */
export async function createPackageReader(options: {
  /** Of a task or of a skill. */
  readonly root: TaskRoot | SkillRoot
  readonly source: BlockSource
  readonly openers?: readonly ObjectOpener[]
  readonly limits?: Partial<PackageLimits>
}): Promise<PackageReader> {
  const { root, source } = options
  const limits = withLimits(options.limits)
  const get = (cid: Cid, path: string) => getOrThrow(source, cid, path, limits)
  const view = 'md' in root ? viewSkill(root) : viewTask(root)
  const descriptor = view.confidentiality
    ? readDescriptor(await get(view.confidentiality, RESERVED_PATHS.confidentiality), limits)
    : undefined
  const open = descriptor && options.openers?.find(({ profile }) => profile === descriptor.profile)?.open(descriptor)
  const sealed = open === undefined ? 'ciphertext' : 'decrypted'
  const leaves = listDocuments(view).map(
    ({ path, cid }): ReadableDocument => ({ path, cid, state: descriptor?.objects.has(path) ? sealed : 'public' }),
  )
  const links = (['manifest', 'fulfillment', 'confidentiality'] as const).flatMap((name): ReadableDocument[] => {
    const cid = view[name]
    return cid === undefined ? [] : [{ path: RESERVED_PATHS[name], cid, state: 'public' }]
  })
  return {
    documents: [...leaves, ...links],
    read: async ({ path, cid, state }) => {
      const bytes = await get(cid, path)
      if (state !== 'decrypted' || open === undefined) return bytes
      const opened = open(path, bytes)
      if (!opened.ok) throw new PackageInputError(path, `${opened.code}: ${opened.message}`)
      return opened.plaintext
    },
  }
}

function readDescriptor(bytes: Uint8Array, limits: PackageLimits): ConfidentialityDescriptor {
  const findings = noFindings()
  const descriptor = readConfidentiality(bytes, limits, findings)
  if (descriptor === undefined) throw refused(RESERVED_PATHS.confidentiality, findings)
  return descriptor
}

async function getOrThrow(source: BlockSource, cid: Cid, path: string, limits: PackageLimits): Promise<Uint8Array> {
  const findings = noFindings()
  const bytes = await getChecked(source, cid, path, limits.objectBytes, findings)
  if (bytes === undefined) throw refused(path, findings)
  return bytes
}

function refused(path: string, findings: Findings): PackageInputError {
  const first = findings.list[0]
  return new PackageInputError(path, first === undefined ? 'cannot be read' : `${first.code}: ${first.message}`)
}
