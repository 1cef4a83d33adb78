import {
  type Cid,
  type DagCborCid,
  type RawCid,
  type Sha256Digest,
  sha256,
  type TaskHash,
  type TdHash,
  toDagCborCid,
  toRawCid,
} from '../digest/index.ts'
import type { ObjectCipher } from './confidentiality.ts'
import { readFulfillment, readManifest } from './documents.ts'
import { PackageInputError, PackageRootError } from './errors.ts'
import { countFindings, noFindings, report } from './findings.ts'
import { encodeSortedJson } from './json.ts'
import { type PackageLimits, withLimits } from './limits.ts'
import { makeManifest, type PackPlan, type PackRoles, planTaskPackage } from './pack-plan.ts'
import { RESERVED_PATHS } from './paths.ts'
import { packTaskRoot, type TaskRoot } from './task-root.ts'
import { checkVersionChain } from './version-chain.ts'

/** The part that a leaf plays in the root. */
export type LeafRole = 'primary' | 'terms' | 'file' | 'manifest' | 'fulfillment' | 'confidentiality'

/** One leaf of a packed package, as published; `sizeBytes` is that of the published bytes. */
export type PackedLeaf = {
  readonly path: string
  readonly role: LeafRole
  readonly cid: RawCid
  readonly sizeBytes: number
  readonly encrypted: boolean
}

/** A packed task without its object bytes. */
export type PackedRoot = {
  readonly root: TaskRoot
  readonly rootBytes: Uint8Array
  readonly rootCid: DagCborCid
  readonly taskHash: TaskHash
  readonly tdHash: TdHash
  readonly version: bigint
  readonly leaves: readonly PackedLeaf[]
}

/** Which version the package is of its task, and what the chain says about it. */
export type PackBinding = {
  /** Default 1. */
  readonly version?: bigint
  /** The `taskHash` of the version before; required above version 1. */
  readonly prev?: TaskHash
  /** The on-chain bound that `fulfillment.json` must repeat. */
  readonly maxCompletions?: bigint
}

/** A published leaf before the root exists: the CID of its published bytes, and the plaintext hash when it is encrypted. */
export type LeafInput = { readonly cid: RawCid; readonly sizeBytes: number; readonly plaintextHash?: Sha256Digest }

/** Everything that a root is made of. */
export type RootInput = PackBinding & {
  readonly plan: PackPlan
  /** Leaves by path: primary document, terms and files. */
  readonly leaves: ReadonlyMap<string, LeafInput>
  /** Plaintext of the primary document. */
  readonly primary: Uint8Array
  /** Absent: one is made, with `name`. */
  readonly manifest?: Uint8Array
  readonly fulfillment?: Uint8Array
  /** Name in a manifest that is made. */
  readonly name: string
  readonly cipher?: ObjectCipher
  readonly limits?: Partial<PackageLimits>
}

/** A root with the documents that are published beside the leaves. */
export type AssembledTask = PackedRoot & {
  /** Bytes of manifest, fulfillment and confidentiality descriptor. */
  readonly documents: ReadonlyMap<RawCid, Uint8Array>
}

/**
 * Makes the root over leaves that are hashed already, checked by the clauses that a verifier applies. Throws
 * PackageRootError with findings, PackageInputError when parts are missing.
 */
export function assembleTaskPackage(input: RootInput): AssembledTask {
  const limits = withLimits(input.limits)
  const { plan, leaves } = input
  const encrypted = [...leaves].filter(([, leaf]) => leaf.plaintextHash !== undefined)
  const isPrimaryPublic = leafOf(leaves, plan.primary).plaintextHash === undefined
  const documents = new Map<RawCid, Uint8Array>()
  const published: PackedLeaf[] = []
  const publish = (role: LeafRole, path: string, bytes: Uint8Array): RawCid => {
    const cid = toRawCid(sha256(bytes))
    documents.set(cid, bytes)
    published.push({ path, role, cid, sizeBytes: bytes.length, encrypted: false })
    return cid
  }
  const manifestBytes =
    input.manifest ?? makeManifest(input.name, plan.spec.path, isPrimaryPublic ? input.primary : undefined)
  const manifest = publish('manifest', RESERVED_PATHS.manifest, manifestBytes)
  const fulfillment = input.fulfillment && publish('fulfillment', RESERVED_PATHS.fulfillment, input.fulfillment)
  const descriptor = encrypted.length > 0 ? makeDescriptor(encrypted, input.cipher) : undefined
  const confidentiality = descriptor && publish('confidentiality', RESERVED_PATHS.confidentiality, descriptor)
  const root = makeRoot(input, {
    manifest,
    ...(fulfillment && { fulfillment }),
    ...(confidentiality && { confidentiality }),
    ...(input.prev && { prev: toDagCborCid(input.prev) }),
  })
  checkInput(input, root, manifestBytes, limits)
  const rootBytes = packTaskRoot(root, input.limits)
  const taskHash = sha256(rootBytes) as TaskHash
  for (const [path, leaf] of leaves) {
    const role = path === plan.primary ? 'primary' : path === plan.terms ? 'terms' : 'file'
    published.push({
      path,
      role,
      cid: leaf.cid,
      sizeBytes: leaf.sizeBytes,
      encrypted: leaf.plaintextHash !== undefined,
    })
  }
  return {
    root,
    rootBytes,
    rootCid: toDagCborCid(taskHash),
    taskHash,
    tdHash: sha256(input.primary) as TdHash,
    version: input.version ?? 1n,
    leaves: published,
    documents,
  }
}

/** The leaf of a path. Throws {@link PackageInputError}. */
export function leafOf(leaves: ReadonlyMap<string, LeafInput>, path: string): LeafInput {
  const leaf = leaves.get(path)
  if (leaf === undefined) throw new PackageInputError(path, 'no leaf has this path')
  return leaf
}

function makeRoot(
  { plan, leaves }: RootInput,
  links: Pick<TaskRoot, 'manifest' | 'fulfillment' | 'confidentiality' | 'prev'>,
): TaskRoot {
  const entry = (path: string) => ({ path, cid: leafOf(leaves, path).cid })
  const files = new Map(plan.files.map((path): [string, Cid] => [path, leafOf(leaves, path).cid]))
  return {
    td: entry(plan.primary),
    spec: { ...entry(plan.spec.path), profile: plan.spec.profile },
    ...(plan.acceptance && { acceptance: { ...entry(plan.acceptance.path), profile: plan.acceptance.profile } }),
    ...(plan.terms !== undefined && { terms: entry(plan.terms) }),
    ...(files.size > 0 && { files }),
    ...links,
  }
}

/** The confidentiality descriptor of encrypted leaves. Throws {@link PackageInputError} without a cipher. */
export function makeDescriptor(
  encrypted: readonly (readonly [string, LeafInput])[],
  cipher: ObjectCipher | undefined,
): Uint8Array {
  if (cipher === undefined) throw new PackageInputError('cipher', 'encrypted leaves need the cipher that sealed them')
  const objects = Object.fromEntries(
    encrypted.map(([path, leaf]) => [path, { ciphertext: leaf.cid, plaintextHash: leaf.plaintextHash ?? '' }]),
  )
  return encodeSortedJson({
    ...cipher.describe(),
    schemaVersion: '1.0',
    mode: cipher.mode,
    profile: cipher.profile,
    objects,
  })
}

function checkInput(input: RootInput, root: TaskRoot, manifest: Uint8Array, limits: PackageLimits): void {
  const findings = noFindings()
  const version = input.version ?? 1n
  checkVersionChain(root.prev, { hash: sha256(manifest), version }, [], findings)
  readManifest(manifest, root.spec.path, limits, findings)
  if (input.fulfillment) readFulfillment(input.fulfillment, input.maxCompletions, limits, findings)
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(input.primary)
  } catch {
    report(findings, 'primary.not-utf8', 'root.td', 'the primary document is not UTF-8 text')
  }
  if (countFindings(findings) > 0) throw new PackageRootError('TaskRoot', findings)
}

/** A package in memory: input files by path, which part they play, and what is encrypted. */
export type PackTaskOptions = PackRoles &
  PackBinding & {
    readonly files: ReadonlyMap<string, Uint8Array>
    /** Name in a manifest that is made; default `task`. */
    readonly name?: string
    readonly encrypt?: { readonly paths: readonly string[]; readonly cipher: ObjectCipher }
    readonly limits?: Partial<PackageLimits>
  }

/** A packed task with all its blocks, the root's included. */
export type PackedTask = PackedRoot & { readonly blocks: ReadonlyMap<Cid, Uint8Array> }

/**
 * Packs files in memory: `TASK.md`, `TERMS.md`, `manifest.json` and `fulfillment.json` go to their links, the rest to
 * `files`. Throws PackageInputError and PackageRootError.
 */
export function packTaskPackage(options: PackTaskOptions): PackedTask {
  const { files, encrypt } = options
  const plan = planTaskPackage([...files.keys()], options, options.limits)
  checkEncryptedPaths(plan, encrypt?.paths ?? [])
  checkSizes(files, withLimits(options.limits))
  const blocks = new Map<Cid, Uint8Array>()
  const leaves = new Map<string, LeafInput>()
  for (const path of planDocuments(plan)) {
    const plaintext = files.get(path)
    if (plaintext === undefined) throw new PackageInputError(path, 'the file is absent')
    const isSecret = encrypt?.paths.includes(path) ?? false
    const bytes = encrypt && isSecret ? encrypt.cipher.seal(path, plaintext) : plaintext
    const cid = toRawCid(sha256(bytes))
    blocks.set(cid, bytes)
    leaves.set(path, { cid, sizeBytes: bytes.length, ...(isSecret && { plaintextHash: sha256(plaintext) }) })
  }
  const manifest = files.get(RESERVED_PATHS.manifest)
  const fulfillment = files.get(RESERVED_PATHS.fulfillment)
  const { documents, ...packed } = assembleTaskPackage({
    ...options,
    plan,
    leaves,
    primary: files.get(plan.primary) ?? new Uint8Array(),
    ...(manifest && { manifest }),
    ...(fulfillment && { fulfillment }),
    name: options.name ?? 'task',
    ...(encrypt && { cipher: encrypt.cipher }),
  })
  for (const [cid, bytes] of documents) blocks.set(cid, bytes)
  blocks.set(packed.rootCid, packed.rootBytes)
  return { ...packed, blocks }
}

/** Paths of a plan that become leaves, the primary document first. */
export function planDocuments(plan: PackPlan): readonly string[] {
  return [plan.primary, ...(plan.terms === undefined ? [] : [plan.terms]), ...plan.files]
}

/** Throws {@link PackageInputError} when a path to encrypt is no leaf: absent, the manifest or a descriptor. */
export function checkEncryptedPaths(plan: PackPlan, paths: readonly string[]): void {
  checkEncryptedLeaves(planDocuments(plan), paths)
}

/** As {@link checkEncryptedPaths}, for the leaves of any package. */
export function checkEncryptedLeaves(leaves: readonly string[], paths: readonly string[]): void {
  const documents = new Set(leaves)
  for (const path of paths)
    if (!documents.has(path))
      throw new PackageInputError(
        path,
        'cannot be encrypted: it is absent, the manifest or a descriptor, which stay public',
      )
}

/** Throws {@link PackageInputError} for a file or a whole that is too large. */
export function checkSizes(files: ReadonlyMap<string, Uint8Array>, limits: PackageLimits): void {
  let total = 0
  for (const [path, { length }] of files) {
    if (length > limits.objectBytes)
      throw new PackageInputError(path, `${length} bytes, expected ${limits.objectBytes} or less`)
    total += length
  }
  if (total > limits.packageBytes)
    throw new PackageInputError('package', `${total} bytes, expected ${limits.packageBytes} or less`)
}
