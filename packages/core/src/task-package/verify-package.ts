import { type Cid, type DagCborCid, type Sha256Digest, sha256, toDagCborCid } from '../digest/index.ts'
import { type BlockSource, getChecked, mapInOrder, type Sha256Function } from './blocks.ts'
import {
  checkConfidentiality,
  checkPrimaryHash,
  type ObjectOpener,
  type OpenedObject,
  objectWhere,
} from './confidentiality.ts'
import { type ConfidentialityDescriptor, readConfidentiality } from './documents.ts'
import {
  countFindings,
  type Finding,
  type Findings,
  noFindings,
  reasonOf,
  report,
  reportAll,
  statusOf,
  type VerdictStatus,
} from './findings.ts'
import { MAX_PARALLEL_OBJECTS, type PackageLimits, withLimits } from './limits.ts'
import { linkAt, listDocuments, type PackageDocument, type PackageView } from './package-view.ts'
import { inspectSealedDescriptor, type ObjectInspector } from './sealed/inspect.ts'
import { type BoundVersion, checkVersionChain } from './version-chain.ts'

/** How far a verification goes: the root bytes alone; also manifest, descriptors and public primary document; everything. */
export type VerifyLevel = 'root' | 'documents' | 'objects'

/** What was not judged, because it was not given, not asked for, or is encrypted. */
export type Unchecked = 'binding' | 'terms' | 'history' | 'documents' | 'objects' | 'plaintext'

/** What the verifier learnt, whether or not the package is valid. Sizes in bytes. */
export type PackageFacts = {
  readonly level: VerifyLevel
  /** Absent when the given hash is no hash. */
  rootCid?: DagCborCid
  rootBytes?: number
  /** Paths of the package: primary document, terms and files. */
  paths?: number
  /** Sum over all paths, when every object was read. */
  packageBytes?: number
  /** Hash of the plaintext primary document, and whether it was computed or is only declared by the descriptor. */
  primary?: { readonly hash: Sha256Digest; readonly known: 'computed' | 'declared' }
  confidentiality?: { readonly profile: string; readonly mode: string; readonly paths: readonly string[] }
  readonly notChecked: Unchecked[]
}

/** The result of a verification. `ok` is `status === 'valid'`; findings are in the order of the checks. */
export type PackageVerdict<Root, Facts extends PackageFacts = PackageFacts> = {
  readonly ok: boolean
  readonly status: VerdictStatus
  readonly findings: readonly Finding[]
  /** Findings beyond the kept ones. */
  readonly omittedFindings: number
  readonly root?: Root
  readonly facts: Facts
}

/** Options that both kinds of package share. */
export type VerifyOptions = {
  readonly source: BlockSource
  /** Default `objects`. */
  readonly level?: VerifyLevel
  /** Profiles whose objects are decrypted and compared with their plaintextHash. */
  readonly openers?: readonly ObjectOpener[]
  readonly limits?: Partial<PackageLimits>
  /** A faster SHA-256 of the host; default is the portable one. */
  readonly hash?: Sha256Function
}

/** How one kind of package differs from the other. */
export type PackageKind<Root, Facts extends PackageFacts> = {
  readonly inspect: (
    bytes: Uint8Array,
    limits: PackageLimits,
  ) => { readonly root: Root | undefined; readonly findings: Findings }
  readonly view: (root: Root) => PackageView
  readonly readManifest: (bytes: Uint8Array, root: Root, run: PackageRun<Facts>) => void
  readonly readFulfillment: (bytes: Uint8Array, run: PackageRun<Facts>) => void
}

/** The state of one verification. */
export type PackageRun<Facts extends PackageFacts> = {
  readonly options: VerifyOptions
  readonly rootHash: Sha256Digest
  readonly binding: { readonly primaryHash: Sha256Digest; readonly version: bigint } | undefined
  readonly history: readonly BoundVersion[]
  readonly limits: PackageLimits
  readonly findings: Findings
  readonly facts: Facts
}

/** Verifies a package of either kind. Never throws: a failure of the verifier itself is the finding `verifier.failed`. */
export async function verifyPackage<Root, Facts extends PackageFacts>(
  kind: PackageKind<Root, Facts>,
  start: Omit<PackageRun<Facts>, 'limits' | 'findings' | 'facts'>,
  moreFacts: (facts: PackageFacts) => Facts,
): Promise<PackageVerdict<Root, Facts>> {
  const level = start.options.level ?? 'objects'
  const facts = moreFacts({ level, notChecked: [] })
  const findings = noFindings()
  let root: Root | undefined
  try {
    const run: PackageRun<Facts> = { ...start, limits: withLimits(start.options.limits), findings, facts }
    root = await readPackageRoot(kind, run)
    if (root !== undefined) await verifyContent(kind, root, run)
  } catch (cause) {
    report(findings, 'verifier.failed', 'verifier', reasonOf(cause))
  }
  const status = statusOf(findings)
  return {
    ok: status === 'valid',
    status,
    findings: findings.list,
    omittedFindings: findings.omitted,
    ...(root !== undefined && { root }),
    facts,
  }
}

async function readPackageRoot<Root, Facts extends PackageFacts>(
  kind: PackageKind<Root, Facts>,
  run: PackageRun<Facts>,
): Promise<Root | undefined> {
  const { source, hash } = run.options
  const rootCid = toDagCborCid(run.rootHash)
  run.facts.rootCid = rootCid
  const bytes = await getChecked(source, rootCid, 'root', run.limits.rootBytes, run.findings, hash)
  if (bytes === undefined) return undefined
  run.facts.rootBytes = bytes.length
  const { root, findings } = kind.inspect(bytes, run.limits)
  reportAll(run.findings, findings)
  return root
}

async function verifyContent<Root, Facts extends PackageFacts>(
  kind: PackageKind<Root, Facts>,
  root: Root,
  run: PackageRun<Facts>,
): Promise<void> {
  const view = kind.view(root)
  const { notChecked, level } = run.facts
  run.facts.paths = 1 + (view.terms ? 1 : 0) + view.files.size
  checkBinding(view, run)
  if (level === 'root') {
    notChecked.push('documents', 'objects')
    return
  }
  await readPublicLink(view.manifest, 'manifest', run, (bytes) => kind.readManifest(bytes, root, run))
  if (view.fulfillment !== undefined)
    await readPublicLink(view.fulfillment, 'fulfillment', run, (bytes) => kind.readFulfillment(bytes, run))
  const confidential = await readDescriptor(view, run)
  const mayBePublic = view.confidentiality === undefined || confidential !== undefined
  const isPublic = mayBePublic && confidential?.descriptor.objects.get(view.primary.path) === undefined
  const primary: ReadPrimary | undefined = isPublic
    ? { bytes: await getObject(view.primary.cid, view.primaryWhere, run, run.findings) }
    : undefined
  if (primary?.bytes !== undefined) checkPrimary(primary.bytes, view.primaryWhere, run)
  if (level === 'documents') {
    notChecked.push('objects')
    return
  }
  await verifyObjects(view, confidential, primary, run)
}

function checkBinding<Facts extends PackageFacts>(view: PackageView, run: PackageRun<Facts>): void {
  if (run.binding === undefined) {
    run.facts.notChecked.push('binding')
    return
  }
  const bound = { hash: run.rootHash, version: run.binding.version }
  if (!checkVersionChain(view.prev, bound, run.history, run.findings)) run.facts.notChecked.push('history')
}

function getObject<Facts extends PackageFacts>(
  cid: Cid,
  where: string,
  run: PackageRun<Facts>,
  findings: Findings,
): Promise<Uint8Array | undefined> {
  return getChecked(run.options.source, cid, where, run.limits.objectBytes, findings, run.options.hash)
}

async function readPublicLink<Facts extends PackageFacts>(
  cid: Cid,
  where: string,
  run: PackageRun<Facts>,
  read: (bytes: Uint8Array) => void,
): Promise<void> {
  const bytes = await getObject(cid, where, run, run.findings)
  if (bytes !== undefined) read(bytes)
}

/** A descriptor with what its profile lets us do with its objects. */
type Confidential = {
  readonly descriptor: ConfidentialityDescriptor
  readonly inspect: ObjectInspector | undefined
  readonly open: ((path: string, ciphertext: Uint8Array) => OpenedObject) | undefined
}

async function readDescriptor<Facts extends PackageFacts>(
  view: PackageView,
  run: PackageRun<Facts>,
): Promise<Confidential | undefined> {
  if (view.confidentiality === undefined) return undefined
  const bytes = await getObject(view.confidentiality, 'confidentiality', run, run.findings)
  const descriptor = bytes && readConfidentiality(bytes, run.limits, run.findings)
  if (descriptor === undefined) return undefined
  run.facts.confidentiality = {
    profile: descriptor.profile,
    mode: descriptor.mode,
    paths: [...descriptor.objects.keys()],
  }
  const publicLinks = [view.manifest, view.confidentiality, ...(view.fulfillment ? [view.fulfillment] : [])]
  checkConfidentiality(descriptor, (path) => linkAt(view, path), publicLinks, run.findings)
  const before = countFindings(run.findings)
  const inspect = inspectSealedDescriptor(descriptor, run.findings)
  const isReadable = countFindings(run.findings) === before
  const declared = descriptor.objects.get(view.primary.path)
  if (declared !== undefined) run.facts.primary = { hash: declared.plaintextHash, known: 'declared' }
  if (run.binding !== undefined) checkPrimaryHash(descriptor, view.primary.path, run.binding.primaryHash, run.findings)
  const opener = run.options.openers?.find(({ profile }) => profile === descriptor.profile)
  const open = isReadable ? opener?.open(descriptor) : undefined
  if (open === undefined && descriptor.objects.size > 0) run.facts.notChecked.push('plaintext')
  return { descriptor, inspect, open }
}

/** The plaintext primary document: UTF-8, and the hash that the chain holds. */
function checkPrimary<Facts extends PackageFacts>(plaintext: Uint8Array, where: string, run: PackageRun<Facts>): void {
  const hash = (run.options.hash ?? sha256)(plaintext)
  run.facts.primary = { hash, known: 'computed' }
  if (run.binding !== undefined && hash !== run.binding.primaryHash)
    report(
      run.findings,
      'primary.hash-mismatch',
      where,
      `hash ${hash}, expected ${run.binding.primaryHash} as on chain`,
    )
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(plaintext)
  } catch {
    report(run.findings, 'primary.not-utf8', where, 'the primary document is not UTF-8 text')
  }
}

/** A public primary document that was asked for before the other objects; no bytes when it could not be had. */
type ReadPrimary = { readonly bytes: Uint8Array | undefined }

/** What reading one object gave; `bytes` counts it once for each of its paths. */
type ObjectResult = { readonly findings: Findings; readonly bytes: number; readonly read: boolean }

async function verifyObjects<Facts extends PackageFacts>(
  view: PackageView,
  confidential: Confidential | undefined,
  primary: ReadPrimary | undefined,
  run: PackageRun<Facts>,
): Promise<void> {
  const documents = listDocuments(view).filter(({ path }) => primary === undefined || path !== view.primary.path)
  const byCid = Map.groupBy(documents, ({ cid }) => cid)
  let total = primary?.bytes?.length ?? 0
  const results = await mapInOrder([...byCid.values()], MAX_PARALLEL_OBJECTS, async (same): Promise<ObjectResult> => {
    const findings = noFindings()
    const first = same[0]
    if (first === undefined || total > run.limits.packageBytes) return { findings, bytes: 0, read: false }
    const bytes = await getObject(first.cid, first.where, run, findings)
    if (bytes === undefined) return { findings, bytes: 0, read: false }
    total += bytes.length * same.length
    if (confidential)
      for (const document of same) checkEncrypted(document, bytes, view, confidential, { ...run, findings })
    return { findings, bytes: bytes.length * same.length, read: true }
  })
  for (const { findings } of results) reportAll(run.findings, findings)
  if (total > run.limits.packageBytes)
    report(run.findings, 'package.too-large', 'package', `more than ${run.limits.packageBytes} bytes over all paths`)
  else if (results.every(({ read }) => read) && (primary === undefined || primary.bytes)) run.facts.packageBytes = total
}

function checkEncrypted<Facts extends PackageFacts>(
  document: PackageDocument,
  ciphertext: Uint8Array,
  view: PackageView,
  { descriptor, inspect, open }: Confidential,
  run: PackageRun<Facts>,
): void {
  const { findings } = run
  const object = descriptor.objects.get(document.path)
  if (object === undefined) return
  inspect?.(document.path, ciphertext, findings)
  if (open === undefined || countFindings(findings) > 0) return
  const where = objectWhere(document.path)
  const opened = open(document.path, ciphertext)
  if (!opened.ok) {
    report(findings, opened.code, where, opened.message)
    return
  }
  const hash = (run.options.hash ?? sha256)(opened.plaintext)
  if (hash !== object.plaintextHash)
    report(findings, 'confidentiality.plaintext-mismatch', where, `hash ${hash}, expected ${object.plaintextHash}`)
  if (document.path === view.primary.path) checkPrimary(opened.plaintext, where, run)
}
