import type { Cid } from '../digest/index.ts'
import { encodeRoot, type RootField } from './cbor.ts'
import { PackageRootError } from './errors.ts'
import { countFindings, type Findings } from './findings.ts'
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

/** The object that a skill's `packageHash` commits to. Source: ERC-8338, SkillRoot, as its published vectors show it. */
export type SkillRoot = {
  /** The one primary document. */
  readonly md: PathEntry
  readonly manifest: Cid
  /** What is run; its path is `md.path` or a key of `files`. */
  readonly entry: ProfiledEntry
  readonly license?: PathEntry
  readonly files?: ReadonlyMap<string, Cid>
  readonly confidentiality?: Cid
  readonly prev?: Cid
}

const SKILL_SHAPE: RootShape = {
  entries: {
    md: { required: true, profiled: false },
    entry: { required: true, profiled: true },
    license: { required: false, profiled: false },
  },
  links: {
    manifest: { required: true, codec: 'raw' },
    confidentiality: { required: false, codec: 'raw' },
    prev: { required: false, codec: 'dag-cbor' },
  },
  rawEntries: ['md', 'license'],
}

/** A root with what is wrong with it; `root` is there whenever its required fields could be read. */
export type InspectedSkillRoot = { readonly root: SkillRoot | undefined; readonly findings: Findings }

/** Reads root bytes and judges every clause that needs nothing but the root. Never throws on hostile bytes. */
export function inspectSkillRoot(bytes: Uint8Array, limits: PackageLimits): InspectedSkillRoot {
  const { shaped, findings } = readRoot(bytes, SKILL_SHAPE, limits)
  const root = shaped === undefined ? undefined : toSkillRoot(shaped)
  if (root !== undefined) {
    checkTerms(root.md, root.license, [root.entry.path], 'root.license', root.files, findings)
    checkDocument(root.entry, root.md, root.files, 'root.entry', findings)
  }
  return { root, findings }
}

function toSkillRoot({ entries, links, files }: ShapedRoot): SkillRoot | undefined {
  const md = entries.get('md')
  const entry = entries.get('entry')
  const license = entries.get('license')
  const manifest = links.get('manifest')
  const confidentiality = links.get('confidentiality')
  const prev = links.get('prev')
  if (md === undefined || entry?.profile === undefined || manifest === undefined) return undefined
  return {
    md,
    manifest,
    entry: { path: entry.path, cid: entry.cid, profile: entry.profile },
    ...(license && { license }),
    ...(files && { files }),
    ...(confidentiality && { confidentiality }),
    ...(prev && { prev }),
  }
}

/** The bytes that `packageHash` is taken over; judged as a verifier would. Throws {@link PackageRootError}. */
export function packSkillRoot(root: SkillRoot, limits: Partial<PackageLimits> = {}): Uint8Array {
  const fields = new Map<string, RootField>([
    ['md', entryField(root.md)],
    ['manifest', { link: root.manifest }],
    ['entry', entryField(root.entry)],
  ])
  if (root.license) fields.set('license', entryField(root.license))
  if (root.files) fields.set('files', filesField(root.files))
  if (root.confidentiality) fields.set('confidentiality', { link: root.confidentiality })
  if (root.prev) fields.set('prev', { link: root.prev })
  const bytes = encodeRoot(fields)
  unpackSkillRoot(bytes, limits)
  return bytes
}

/** Reads a root that is known to be sound. Throws {@link PackageRootError} with the findings when it is not. */
export function unpackSkillRoot(bytes: Uint8Array, limits: Partial<PackageLimits> = {}): SkillRoot {
  const { root, findings } = inspectSkillRoot(bytes, withLimits(limits))
  if (root === undefined || countFindings(findings) > 0) throw new PackageRootError('SkillRoot', findings)
  return root
}
