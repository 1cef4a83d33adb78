import type { Cid } from '../digest/index.ts'
import { type Findings, report, shown } from './findings.ts'
import type { PathEntry } from './root-shape.ts'

/** Rules for the primary document and the terms (or license), which are never keys of files. Source: ERC-8414, TaskRoot. */
export function checkTerms(
  primary: PathEntry,
  terms: PathEntry | undefined,
  otherPaths: readonly string[],
  termsWhere: string,
  files: ReadonlyMap<string, Cid> | undefined,
  findings: Findings,
): void {
  if (files?.has(primary.path))
    report(findings, 'primary.in-files', 'root.files', `${shown(primary.path)} is the primary document, not a file`)
  if (terms === undefined) return
  if (files?.has(terms.path))
    report(findings, 'terms.in-files', 'root.files', `${shown(terms.path)} is linked at ${termsWhere}, not a file`)
  if ([primary.path, ...otherPaths].includes(terms.path))
    report(findings, 'terms.not-distinct', termsWhere, `${shown(terms.path)} is also the path of another document`)
}

/** The spec (or entry) resolves to the primary document or to a file, with the same link. Source: ERC-8414, TaskRoot, Spec. */
export function checkDocument(
  document: PathEntry,
  primary: PathEntry,
  files: ReadonlyMap<string, Cid> | undefined,
  where: string,
  findings: Findings,
): void {
  const target = document.path === primary.path ? primary.cid : files?.get(document.path)
  if (target === undefined)
    report(findings, 'spec.not-in-files', where, `${shown(document.path)} is neither the primary document nor in files`)
  else if (target !== document.cid)
    report(findings, 'spec.link-mismatch', where, `link ${document.cid}, expected ${target}`)
}
