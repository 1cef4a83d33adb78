/** Files of one package. The order of the largest source trees that a person still reviews; a root stays below 1 MiB with usual names. */
export const MAX_FILES = 10_000

/** Bytes of one object (64 MiB). An object is hashed and decrypted in memory, so this bounds what a hostile package can make us hold. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024

/** Bytes of a package (1 GiB), counted for each path: one object named by many paths is counted as often as it would be written. */
export const MAX_PACKAGE_BYTES = 1024 * 1024 * 1024

/** Bytes of an encoded root (4 MiB): room for {@link MAX_FILES} links of 44 bytes with names of 375 bytes each. */
export const MAX_ROOT_BYTES = 4 * 1024 * 1024

/** Bytes of one path in UTF-8. 1,024 is the shortest limit of the file systems in use (macOS PATH_MAX). */
export const MAX_PATH_BYTES = 1024

/** Segments of one path. Deeper trees exist only to exhaust recursion. */
export const MAX_PATH_SEGMENTS = 64

/** Nesting of maps, arrays and tags in a root: root map, entry or files map, link tag, and one to report excess. */
export const MAX_ROOT_DEPTH = 4

/** Bytes of a manifest or descriptor (4 MiB): a confidentiality descriptor names each of {@link MAX_FILES} objects in about 250 bytes. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024

/** Nesting of a manifest or descriptor. The normative schemas need three. */
export const MAX_JSON_DEPTH = 32

/** Findings of one verdict; the rest is counted. A reader acts on the first ones, a hostile package may break 10,000 clauses. */
export const MAX_FINDINGS = 64

/** Objects fetched at the same time: hides the latency of a gateway, holds at most this many objects in memory. */
export const MAX_PARALLEL_OBJECTS = 4

/** Earlier bindings that are read to check the version chain. */
export const MAX_HISTORY = 10_000

/** The limits that a caller may raise or lower for one call; sizes in bytes. */
export type PackageLimits = {
  readonly files: number
  readonly objectBytes: number
  readonly packageBytes: number
  readonly rootBytes: number
  readonly pathBytes: number
  readonly pathSegments: number
  readonly jsonBytes: number
  readonly jsonDepth: number
}

/** The limits that hold when a caller names none. */
export const DEFAULT_LIMITS: PackageLimits = {
  files: MAX_FILES,
  objectBytes: MAX_OBJECT_BYTES,
  packageBytes: MAX_PACKAGE_BYTES,
  rootBytes: MAX_ROOT_BYTES,
  pathBytes: MAX_PATH_BYTES,
  pathSegments: MAX_PATH_SEGMENTS,
  jsonBytes: MAX_JSON_BYTES,
  jsonDepth: MAX_JSON_DEPTH,
}

/** The default limits with those that the caller names in their place. Throws RangeError on a limit that is no natural number. */
export function withLimits(overrides: Partial<PackageLimits> = {}): PackageLimits {
  const limits = { ...DEFAULT_LIMITS, ...overrides }
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`limit ${name}: got ${value}, expected a natural number`)
  }
  return limits
}
