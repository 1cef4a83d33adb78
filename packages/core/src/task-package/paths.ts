import type { FindingCode } from './codes.ts'
import type { PackageLimits } from './limits.ts'

/** Names that belong to links of the root, so that no document or file may bear them. */
export const RESERVED_PATHS = {
  manifest: 'manifest.json',
  fulfillment: 'fulfillment.json',
  confidentiality: 'confidentiality.json',
} as const

const RESERVED: ReadonlySet<string> = new Set(Object.values(RESERVED_PATHS))

/** A path rule that a text breaks. */
export type PathFault = { readonly code: Extract<FindingCode, `path.${string}`>; readonly message: string }

/** U+0000 to U+001F, U+007F to U+009F: the C0 and C1 control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/**
 * The first rule that a package path breaks, or undefined. Paths are relative, case-sensitive, compared byte for byte
 * and never normalised. Source: ERC-8414, Package paths; `path.control` and `path.too-long` are limits of ours.
 */
export function findPathFault(path: string, limits: PackageLimits): PathFault | undefined {
  if (path === '') return { code: 'path.empty', message: 'the path is empty; name a file' }
  if (path.length > limits.pathBytes)
    return tooLong(`${path.length} characters, expected ${limits.pathBytes} bytes or less`)
  if (!path.isWellFormed()) return { code: 'path.not-unicode', message: 'the path has half of a surrogate pair' }
  const bytes = new TextEncoder().encode(path).length
  if (bytes > limits.pathBytes) return tooLong(`${bytes} bytes, expected ${limits.pathBytes} or less`)
  if (path.startsWith('/')) return { code: 'path.absolute', message: 'the path starts with "/"; make it relative' }
  if (path.includes('\\')) return { code: 'path.backslash', message: 'the path has a backslash; separate with "/"' }
  if (CONTROL.test(path)) return { code: 'path.control', message: 'the path has a control character' }
  const segments = path.split('/')
  if (segments.length > limits.pathSegments)
    return tooLong(`${segments.length} segments, expected ${limits.pathSegments} or less`)
  for (const segment of segments) {
    if (segment === '') return { code: 'path.empty-segment', message: 'the path has an empty segment' }
    if (segment === '.' || segment === '..')
      return { code: 'path.dot-segment', message: `the path has the segment "${segment}"` }
  }
  return undefined
}

/** As {@link findPathFault}, and refuses the names of {@link RESERVED_PATHS}. For documents and files. */
export function findDocumentPathFault(path: string, limits: PackageLimits): PathFault | undefined {
  if (RESERVED.has(path))
    return { code: 'path.reserved', message: `${path} is the name of a link of the root and would shadow it` }
  return findPathFault(path, limits)
}

function tooLong(message: string): PathFault {
  return { code: 'path.too-long', message: `the path has ${message}` }
}
