import { PackageInputError } from './errors.ts'
import { type PackageLimits, withLimits } from './limits.ts'
import { findDocumentPathFault, RESERVED_PATHS } from './paths.ts'

/** The primary document when nothing else is said. Source: ERC-8414, TaskRoot, Primary document. */
export const DEFAULT_PRIMARY = 'TASK.md'
/** The terms when nothing else is said and the file is there. */
export const DEFAULT_TERMS = 'TERMS.md'
/** The profile of a spec that is the Markdown document itself. */
export const DEFAULT_SPEC_PROFILE = 'llm-markdown-v1'

/** Which file plays which part; paths are package paths. */
export type PackRoles = {
  /** Default {@link DEFAULT_PRIMARY}. */
  readonly primary?: string
  /** Default: the primary document. */
  readonly spec?: string
  /** Default {@link DEFAULT_SPEC_PROFILE}. */
  readonly specProfile?: string
  readonly acceptance?: string
  /** Required with `acceptance`. */
  readonly acceptanceProfile?: string
  /** Default {@link DEFAULT_TERMS} when it is there. */
  readonly terms?: string
}

/** Every path of the input with its part. */
export type PackPlan = {
  readonly primary: string
  readonly spec: { readonly path: string; readonly profile: string }
  readonly acceptance?: { readonly path: string; readonly profile: string }
  readonly terms?: string
  /** Whether the input has a manifest; otherwise one is made. */
  readonly hasManifest: boolean
  readonly hasFulfillment: boolean
  /** Keys of `files`. */
  readonly files: readonly string[]
}

/** Gives every path its part in the root. Throws {@link PackageInputError} on a part that no path plays and on a refused path. */
export function planTaskPackage(
  paths: readonly string[],
  roles: PackRoles,
  limits: Partial<PackageLimits> = {},
): PackPlan {
  const present = new Set(paths)
  const primary = roles.primary ?? DEFAULT_PRIMARY
  const terms = roles.terms ?? (present.has(DEFAULT_TERMS) && primary !== DEFAULT_TERMS ? DEFAULT_TERMS : undefined)
  const specPath = roles.spec ?? primary
  const { acceptance, acceptanceProfile } = roles
  for (const [role, path] of Object.entries({ primary, terms, spec: specPath, acceptance })) {
    if (path !== undefined && !present.has(path)) throw new PackageInputError(role, `${path} is not in the package`)
  }
  if ((acceptance === undefined) !== (acceptanceProfile === undefined))
    throw new PackageInputError('acceptance', 'a path and a profile are required together')
  const links: ReadonlySet<string> = new Set([RESERVED_PATHS.manifest, RESERVED_PATHS.fulfillment])
  const resolved = withLimits(limits)
  for (const path of present) {
    const fault = links.has(path) ? undefined : findDocumentPathFault(path, resolved)
    if (fault !== undefined) throw new PackageInputError(path, `${fault.code}: ${fault.message}`)
  }
  const files = [...present].filter((path) => path !== primary && path !== terms && !links.has(path))
  if (files.length > resolved.files)
    throw new PackageInputError('files', `got ${files.length}, expected ${resolved.files} or fewer`)
  return {
    primary,
    spec: { path: specPath, profile: roles.specProfile ?? DEFAULT_SPEC_PROFILE },
    ...(acceptance !== undefined &&
      acceptanceProfile !== undefined && { acceptance: { path: acceptance, profile: acceptanceProfile } }),
    ...(terms !== undefined && { terms }),
    hasManifest: present.has(RESERVED_PATHS.manifest),
    hasFulfillment: present.has(RESERVED_PATHS.fulfillment),
    files,
  }
}

/** Characters of a summary that is taken from the document. */
const SUMMARY_CHARACTERS = 200

/**
 * The manifest of a package that brings none: its summary is the first line of the primary document that says anything,
 * without heading marks. Give no `primary` when the document is encrypted: the manifest is public.
 */
export function makeManifest(name: string, specPath: string, primary: Uint8Array | undefined): Uint8Array {
  const text = primary === undefined ? '' : new TextDecoder('utf-8', { ignoreBOM: false }).decode(primary)
  const line = text
    .split(/\r?\n/)
    .map((raw) => raw.replace(/^#+/, '').trim())
    .find((trimmed) => trimmed !== '')
  const summary = [...(line ?? name)].slice(0, SUMMARY_CHARACTERS).join('')
  const manifest = { schemaVersion: '1.0', name, taskVersion: '0.0.1', summary, specPath }
  return new TextEncoder().encode(JSON.stringify(manifest, null, 2))
}
