import type { Cid } from '../digest/index.ts'
import { fileWhere, type PathEntry } from './root-shape.ts'
import type { SkillRoot } from './skill-root.ts'
import type { TaskRoot } from './task-root.ts'

/** What a task and a skill package have in common: one namespace of paths, public links, and a version chain. */
export type PackageView = {
  readonly primary: PathEntry
  readonly primaryWhere: string
  readonly terms?: PathEntry
  readonly termsWhere: string
  readonly files: ReadonlyMap<string, Cid>
  readonly manifest: Cid
  readonly fulfillment?: Cid
  readonly confidentiality?: Cid
  readonly prev?: Cid
}

/** A task package as a {@link PackageView}. */
export function viewTask(root: TaskRoot): PackageView {
  return {
    primary: root.td,
    primaryWhere: 'root.td',
    ...(root.terms && { terms: root.terms }),
    termsWhere: 'root.terms',
    files: root.files ?? new Map(),
    manifest: root.manifest,
    ...(root.fulfillment && { fulfillment: root.fulfillment }),
    ...(root.confidentiality && { confidentiality: root.confidentiality }),
    ...(root.prev && { prev: root.prev }),
  }
}

/** A skill package as a {@link PackageView}; its license takes the place of terms. */
export function viewSkill(root: SkillRoot): PackageView {
  return {
    primary: root.md,
    primaryWhere: 'root.md',
    ...(root.license && { terms: root.license }),
    termsWhere: 'root.license',
    files: root.files ?? new Map(),
    manifest: root.manifest,
    ...(root.confidentiality && { confidentiality: root.confidentiality }),
    ...(root.prev && { prev: root.prev }),
  }
}

/** The link of a path of the package, or undefined for a path it does not have. */
export function linkAt(view: PackageView, path: string): Cid | undefined {
  if (path === view.primary.path) return view.primary.cid
  if (path === view.terms?.path) return view.terms.cid
  return view.files.get(path)
}

/** One path of the package with its link and its place in findings. */
export type PackageDocument = PathEntry & { readonly where: string }

/** Every path of the package, the primary document first, then terms, then files in the order of the root. */
export function listDocuments(view: PackageView): PackageDocument[] {
  const documents: PackageDocument[] = [{ ...view.primary, where: view.primaryWhere }]
  if (view.terms !== undefined) documents.push({ ...view.terms, where: view.termsWhere })
  for (const [path, cid] of view.files) documents.push({ path, cid, where: fileWhere(path) })
  return documents
}
