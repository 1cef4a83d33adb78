import type { Cid } from '../digest/index.ts'
import { encodeRoot, type RootField } from './cbor.ts'
import { PackageRootError } from './errors.ts'
import { countFindings, type Findings, report } from './findings.ts'
import { checkDocument, checkTerms } from './interlocks.ts'
import { type PackageLimits, withLimits } from './limits.ts'
import {
  entryField,
  filesField,
  type PathEntry,
  type ProfiledEntry,
  type RootShape,
  readRoot,
  type ShapedRoot,
} from './root-shape.ts'

/** The object that `taskHash` commits to: what is demanded, byte for byte. Source: ERC-8414, TaskRoot. */
export type TaskRoot = {
  /** The one primary document. */
  readonly td: PathEntry
  readonly manifest: Cid
  /** The machine-actionable statement of the work; its path is `td.path` or a key of `files`. */
  readonly spec: ProfiledEntry
  /** The criteria of judgment; its path is a key of `files`. */
  readonly acceptance?: ProfiledEntry
  readonly fulfillment?: Cid
  readonly terms?: PathEntry
  /** All other files by path. */
  readonly files?: ReadonlyMap<string, Cid>
  readonly confidentiality?: Cid
  /** The root of the version before. */
  readonly prev?: Cid
}

const TASK_SHAPE: RootShape = {
  entries: {
    td: { required: true, profiled: false },
    spec: { required: true, profiled: true },
    acceptance: { required: false, profiled: true },
    terms: { required: false, profiled: false },
  },
  links: {
    manifest: { required: true, codec: 'raw' },
    fulfillment: { required: false, codec: 'raw' },
    confidentiality: { required: false, codec: 'raw' },
    prev: { required: false, codec: 'dag-cbor' },
  },
  rawEntries: ['td', 'terms'],
}

/** A root with what is wrong with it; `root` is there whenever its required fields could be read. */
export type InspectedTaskRoot = { readonly root: TaskRoot | undefined; readonly findings: Findings }

/** Reads root bytes and judges every clause that needs nothing but the root. Never throws on hostile bytes. */
export function inspectTaskRoot(bytes: Uint8Array, limits: PackageLimits): InspectedTaskRoot {
  const { shaped, findings } = readRoot(bytes, TASK_SHAPE, limits)
  const root = shaped === undefined ? undefined : toTaskRoot(shaped)
  if (root !== undefined) checkInterlocks(root, findings)
  return { root, findings }
}

function toTaskRoot({ entries, links, files }: ShapedRoot): TaskRoot | undefined {
  const td = entries.get('td')
  const spec = asProfiled(entries.get('spec'))
  const acceptance = asProfiled(entries.get('acceptance'))
  const terms = entries.get('terms')
  const manifest = links.get('manifest')
  const fulfillment = links.get('fulfillment')
  const confidentiality = links.get('confidentiality')
  const prev = links.get('prev')
  if (td === undefined || spec === undefined || manifest === undefined) return undefined
  return {
    td,
    manifest,
    spec,
    ...(acceptance && { acceptance }),
    ...(fulfillment && { fulfillment }),
    ...(terms && { terms }),
    ...(files && { files }),
    ...(confidentiality && { confidentiality }),
    ...(prev && { prev }),
  }
}

function asProfiled(entry: (PathEntry & { readonly profile?: string }) | undefined): ProfiledEntry | undefined {
  return entry?.profile === undefined ? undefined : { path: entry.path, cid: entry.cid, profile: entry.profile }
}

function checkInterlocks(root: TaskRoot, findings: Findings): void {
  const others = [root.spec.path, ...(root.acceptance ? [root.acceptance.path] : [])]
  checkTerms(root.td, root.terms, others, 'root.terms', root.files, findings)
  checkDocument(root.spec, root.td, root.files, 'root.spec', findings)
  if (root.acceptance !== undefined) checkAcceptance(root.acceptance, root, findings)
}

function checkAcceptance(acceptance: ProfiledEntry, root: TaskRoot, findings: Findings): void {
  const where = 'root.acceptance'
  if (acceptance.path === root.td.path) {
    report(findings, 'acceptance.is-primary', where, 'acceptance.path is td.path; judge by a file of its own')
    return
  }
  const file = root.files?.get(acceptance.path)
  if (file === undefined) report(findings, 'acceptance.not-in-files', where, 'acceptance.path is not a key of files')
  else if (file !== acceptance.cid)
    report(findings, 'acceptance.link-mismatch', where, `link ${acceptance.cid}, expected that of files: ${file}`)
}

/**
 * The bytes that `taskHash` is taken over. Reads its own output back and judges it, so that no root leaves that a
 * verifier would refuse. Throws {@link PackageRootError} with the findings.
 */
export function packTaskRoot(root: TaskRoot, limits: Partial<PackageLimits> = {}): Uint8Array {
  const fields = new Map<string, RootField>([
    ['td', entryField(root.td)],
    ['manifest', { link: root.manifest }],
    ['spec', entryField(root.spec)],
  ])
  if (root.acceptance) fields.set('acceptance', entryField(root.acceptance))
  if (root.fulfillment) fields.set('fulfillment', { link: root.fulfillment })
  if (root.terms) fields.set('terms', entryField(root.terms))
  if (root.files) fields.set('files', filesField(root.files))
  if (root.confidentiality) fields.set('confidentiality', { link: root.confidentiality })
  if (root.prev) fields.set('prev', { link: root.prev })
  const bytes = encodeRoot(fields)
  unpackTaskRoot(bytes, limits)
  return bytes
}

/** Reads a root that is known to be sound. Throws {@link PackageRootError} with the findings when it is not. */
export function unpackTaskRoot(bytes: Uint8Array, limits: Partial<PackageLimits> = {}): TaskRoot {
  const { root, findings } = inspectTaskRoot(bytes, withLimits(limits))
  if (root === undefined || countFindings(findings) > 0) throw new PackageRootError('TaskRoot', findings)
  return root
}
