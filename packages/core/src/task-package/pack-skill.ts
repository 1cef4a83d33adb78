import {
  type Cid,
  type DagCborCid,
  type MdHash,
  type PackageHash,
  type RawCid,
  sha256,
  toDagCborCid,
  toRawCid,
} from '../digest/index.ts'
import type { ObjectCipher } from './confidentiality.ts'
import { readJson } from './documents.ts'
import { PackageInputError, PackageRootError } from './errors.ts'
import { countFindings, noFindings, report } from './findings.ts'
import { type PackageLimits, withLimits } from './limits.ts'
import { DEFAULT_SPEC_PROFILE } from './pack-plan.ts'
import { checkEncryptedLeaves, checkSizes, type LeafInput, leafOf, makeDescriptor } from './pack-task.ts'
import { findDocumentPathFault, RESERVED_PATHS } from './paths.ts'
import { packSkillRoot, type SkillRoot } from './skill-root.ts'

/** The primary document of a skill when nothing else is said. Source: ERC-8338, its published packages. */
const DEFAULT_SKILL_PRIMARY = 'SKILL.md'
/** The license of a skill when nothing else is said and the file is there. Source: as above. */
const DEFAULT_LICENSE = 'LICENSE'

/** Which file of a skill plays which part; paths are package paths. */
export type SkillRoles = {
  /** Default `SKILL.md`. */
  readonly primary?: string
  /** What is run. Default: the primary document. */
  readonly entry?: string
  /** How it is run. Default `llm-markdown-v1` where the entry is the primary document; required otherwise. */
  readonly entryProfile?: string
  /** Default `LICENSE` when it is there. */
  readonly license?: string
}

/** Every path of the input with its part. */
export type SkillPlan = {
  readonly primary: string
  readonly entry: { readonly path: string; readonly profile: string }
  readonly license?: string
  /** Keys of `files`. */
  readonly files: readonly string[]
}

/**
 * Gives every path its part in a SkillRoot. Throws {@link PackageInputError} on a part that no path plays, a refused path
 * and a missing `manifest.json`: its fields belong to ERC-8338, so none is made here.
 */
export function planSkillPackage(
  paths: readonly string[],
  roles: SkillRoles,
  limits: Partial<PackageLimits> = {},
): SkillPlan {
  const present = new Set(paths)
  const primary = roles.primary ?? DEFAULT_SKILL_PRIMARY
  const license = roles.license ?? (present.has(DEFAULT_LICENSE) ? DEFAULT_LICENSE : undefined)
  const entry = roles.entry ?? primary
  for (const [role, path] of Object.entries({ primary, entry, license })) {
    if (path !== undefined && !present.has(path)) throw new PackageInputError(role, `${path} is not in the package`)
  }
  if (!present.has(RESERVED_PATHS.manifest)) {
    throw new PackageInputError(RESERVED_PATHS.manifest, 'a skill brings its manifest, and none is in the package')
  }
  const profile = roles.entryProfile ?? (entry === primary ? DEFAULT_SPEC_PROFILE : undefined)
  if (profile === undefined) throw new PackageInputError('entryProfile', `says how ${entry} is run, and is absent`)
  const resolved = withLimits(limits)
  const documents = [...present].filter((path) => path !== RESERVED_PATHS.manifest)
  for (const path of documents) {
    const fault = findDocumentPathFault(path, resolved)
    if (fault !== undefined) throw new PackageInputError(path, `${fault.code}: ${fault.message}`)
  }
  const files = documents.filter((path) => path !== primary && path !== license)
  if (files.length > resolved.files)
    throw new PackageInputError('files', `got ${files.length}, expected ${resolved.files} or fewer`)
  return { primary, entry: { path: entry, profile }, ...(license !== undefined && { license }), files }
}

/** Paths of a plan that become leaves, the primary document first. */
export function planSkillDocuments(plan: SkillPlan): readonly string[] {
  return [plan.primary, ...(plan.license === undefined ? [] : [plan.license]), ...plan.files]
}

/** A packed skill without its object bytes. */
export type PackedSkillRoot = {
  readonly root: SkillRoot
  readonly rootBytes: Uint8Array
  readonly rootCid: DagCborCid
  /** What a delivery of this package has as its resultHash. */
  readonly packageHash: PackageHash
  readonly mdHash: MdHash
}

/** Everything that a SkillRoot is made of. */
export type SkillRootInput = {
  readonly plan: SkillPlan
  /** Leaves by path: primary document, license and files. */
  readonly leaves: ReadonlyMap<string, LeafInput>
  /** Plaintext of the primary document. */
  readonly primary: Uint8Array
  readonly manifest: Uint8Array
  /** The `packageHash` of the version before. */
  readonly prev?: PackageHash
  readonly cipher?: ObjectCipher
  readonly limits?: Partial<PackageLimits>
}

/** A root with the documents that are published beside the leaves: manifest and confidentiality descriptor. */
export type AssembledSkill = PackedSkillRoot & { readonly documents: ReadonlyMap<RawCid, Uint8Array> }

/**
 * Makes the root over leaves that are hashed already, checked by the clauses that a verifier applies. Throws
 * PackageRootError with findings, PackageInputError when parts are missing. Source: ERC-8338, SkillRoot.
 */
export function assembleSkillPackage(input: SkillRootInput): AssembledSkill {
  const { plan, leaves } = input
  const documents = new Map<RawCid, Uint8Array>()
  const publish = (bytes: Uint8Array): RawCid => {
    const cid = toRawCid(sha256(bytes))
    documents.set(cid, bytes)
    return cid
  }
  const entry = (path: string) => ({ path, cid: leafOf(leaves, path).cid })
  const files = new Map(plan.files.map((path): [string, Cid] => [path, leafOf(leaves, path).cid]))
  const encrypted = [...leaves].filter(([, leaf]) => leaf.plaintextHash !== undefined)
  const root: SkillRoot = {
    md: entry(plan.primary),
    manifest: publish(input.manifest),
    entry: { ...entry(plan.entry.path), profile: plan.entry.profile },
    ...(plan.license !== undefined && { license: entry(plan.license) }),
    ...(files.size > 0 && { files }),
    ...(encrypted.length > 0 && { confidentiality: publish(makeDescriptor(encrypted, input.cipher)) }),
    ...(input.prev && { prev: toDagCborCid(input.prev) }),
  }
  checkDocuments(input)
  const rootBytes = packSkillRoot(root, input.limits)
  const packageHash = sha256(rootBytes) as PackageHash
  const mdHash = sha256(input.primary) as MdHash
  return { root, rootBytes, rootCid: toDagCborCid(packageHash), packageHash, mdHash, documents }
}

function checkDocuments({ manifest, primary, limits }: SkillRootInput): void {
  const findings = noFindings()
  readJson(manifest, 'manifest', withLimits(limits), findings)
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(primary)
  } catch {
    report(findings, 'primary.not-utf8', 'root.md', 'the primary document is not UTF-8 text')
  }
  if (countFindings(findings) > 0) throw new PackageRootError('SkillRoot', findings)
}

/** A skill in memory: input files by path, which part they play, and what is encrypted. */
export type PackSkillOptions = SkillRoles & {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly prev?: PackageHash
  readonly encrypt?: { readonly paths: readonly string[]; readonly cipher: ObjectCipher }
  readonly limits?: Partial<PackageLimits>
}

/** A packed skill with all its blocks, the root's included. */
export type PackedSkill = PackedSkillRoot & { readonly blocks: ReadonlyMap<Cid, Uint8Array> }

/**
 * Packs files in memory: `SKILL.md`, `LICENSE` and `manifest.json` go to their links, the rest to `files`. Throws
 * PackageInputError and PackageRootError.
 */
export function packSkillPackage(options: PackSkillOptions): PackedSkill {
  const { files, encrypt } = options
  const plan = planSkillPackage([...files.keys()], options, options.limits)
  const paths = planSkillDocuments(plan)
  checkEncryptedLeaves(paths, encrypt?.paths ?? [])
  checkSizes(files, withLimits(options.limits))
  const bytesAt = (path: string): Uint8Array => {
    const bytes = files.get(path)
    if (bytes === undefined) throw new PackageInputError(path, 'the file is absent')
    return bytes
  }
  const blocks = new Map<Cid, Uint8Array>()
  const leaves = new Map<string, LeafInput>()
  for (const path of paths) {
    const plaintext = bytesAt(path)
    const cipher = encrypt?.paths.includes(path) ? encrypt.cipher : undefined
    const bytes = cipher === undefined ? plaintext : cipher.seal(path, plaintext)
    const cid = toRawCid(sha256(bytes))
    blocks.set(cid, bytes)
    leaves.set(path, { cid, sizeBytes: bytes.length, ...(cipher && { plaintextHash: sha256(plaintext) }) })
  }
  const { documents, ...packed } = assembleSkillPackage({
    ...{ plan, leaves, primary: bytesAt(plan.primary), manifest: bytesAt(RESERVED_PATHS.manifest) },
    ...(options.prev && { prev: options.prev }),
    ...(encrypt && { cipher: encrypt.cipher }),
    ...(options.limits && { limits: options.limits }),
  })
  for (const [cid, bytes] of documents) blocks.set(cid, bytes)
  blocks.set(packed.rootCid, packed.rootBytes)
  return { ...packed, blocks }
}
