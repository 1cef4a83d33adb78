import { type Cid, cidCodec } from '../digest/index.ts'
import { decodeRoot, isDecodedLink, type RootField, readLink } from './cbor.ts'
import { type Findings, noFindings, report, reportAll, shown } from './findings.ts'
import type { PackageLimits } from './limits.ts'
import { findDocumentPathFault } from './paths.ts'

/** A document of the package namespace with its link. */
export type PathEntry = { readonly path: string; readonly cid: Cid }
/** A {@link PathEntry} with the opaque identifier of its format. */
export type ProfiledEntry = PathEntry & { readonly profile: string }

/** The object model of a root: closed maps of entries, links, and one open map of files. */
export type RootShape = {
  readonly entries: Readonly<Record<string, { readonly required: boolean; readonly profiled: boolean }>>
  readonly links: Readonly<Record<string, { readonly required: boolean; readonly codec: 'raw' | 'dag-cbor' }>>
  /** Entries whose bytes are a document of their own, so that their link is raw. */
  readonly rawEntries: readonly string[]
}

/** Root maps with their fields read; each field is well-formed, which fields are there is not yet judged. */
export type ShapedRoot = {
  readonly entries: ReadonlyMap<string, PathEntry & { readonly profile?: string }>
  readonly links: ReadonlyMap<string, Cid>
  readonly files: ReadonlyMap<string, Cid> | undefined
}

/** Decodes a root and judges everything that its object model alone decides. Never throws. */
export function readRoot(
  bytes: Uint8Array,
  shape: RootShape,
  limits: PackageLimits,
): { readonly shaped: ShapedRoot | undefined; readonly findings: Findings } {
  const findings = noFindings()
  if (bytes.length > limits.rootBytes) {
    report(findings, 'root.too-large', 'root', `${bytes.length} bytes, expected ${limits.rootBytes} or less`)
    return { shaped: undefined, findings }
  }
  const decoded = decodeRoot(bytes)
  reportAll(findings, decoded.findings)
  if (decoded.value === undefined) return { shaped: undefined, findings }
  if (!(decoded.value instanceof Map)) {
    reportWrongType(findings, 'root', decoded.value, 'a map')
    return { shaped: undefined, findings }
  }
  return { shaped: readRootMap(decoded.value, shape, limits, findings), findings }
}

function readRootMap(
  map: ReadonlyMap<unknown, unknown>,
  shape: RootShape,
  limits: PackageLimits,
  findings: Findings,
): ShapedRoot {
  const entries = new Map<string, PathEntry & { profile?: string }>()
  const links = new Map<string, Cid>()
  const optional = [...optionalKeys(shape.entries), ...optionalKeys(shape.links), 'files']
  checkKeys(map, 'root', [...requiredKeys(shape.entries), ...requiredKeys(shape.links)], optional, findings)
  for (const [name, { profiled }] of Object.entries(shape.entries)) {
    const entry = map.has(name) ? readEntry(map.get(name), `root.${name}`, profiled, limits, findings) : undefined
    if (entry === undefined) continue
    if (shape.rawEntries.includes(name)) checkCodec(entry.cid, 'raw', `root.${name}.cid`, findings)
    entries.set(name, entry)
  }
  for (const [name, { codec }] of Object.entries(shape.links)) {
    const cid = map.has(name) ? readLinkValue(map.get(name), `root.${name}`, findings) : undefined
    if (cid === undefined) continue
    checkCodec(cid, codec, `root.${name}`, findings)
    links.set(name, cid)
  }
  return { entries, links, files: map.has('files') ? readFiles(map.get('files'), limits, findings) : undefined }
}

function requiredKeys(fields: Readonly<Record<string, { readonly required: boolean }>>): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.required)
}

function optionalKeys(fields: Readonly<Record<string, { readonly required: boolean }>>): string[] {
  return Object.keys(fields).filter((name) => !fields[name]?.required)
}

function checkKeys(
  map: ReadonlyMap<unknown, unknown>,
  where: string,
  required: readonly string[],
  optional: readonly string[],
  findings: Findings,
): void {
  for (const key of map.keys()) {
    if (typeof key !== 'string') reportWrongType(findings, where, key, 'text as key')
    else if (!required.includes(key) && !optional.includes(key))
      report(
        findings,
        'root.unknown-key',
        where,
        `unknown key ${shown(key)} in a closed map; extend the manifest instead`,
      )
  }
  for (const key of required)
    if (!map.has(key)) report(findings, 'root.missing-key', where, `required key "${key}" is absent`)
}

function readEntry(
  value: unknown,
  where: string,
  profiled: boolean,
  limits: PackageLimits,
  findings: Findings,
): (PathEntry & { profile?: string }) | undefined {
  if (!(value instanceof Map)) {
    reportWrongType(findings, where, value, 'a map')
    return undefined
  }
  checkKeys(value, where, profiled ? ['path', 'cid', 'profile'] : ['path', 'cid'], [], findings)
  const path = value.has('path') ? readText(value.get('path'), `${where}.path`, findings) : undefined
  const cid = value.has('cid') ? readLinkValue(value.get('cid'), `${where}.cid`, findings) : undefined
  const profile =
    profiled && value.has('profile') ? readText(value.get('profile'), `${where}.profile`, findings) : undefined
  if (path !== undefined) checkPath(path, `${where}.path`, limits, findings)
  if (path === undefined || cid === undefined || (profiled && profile === undefined)) return undefined
  return profile === undefined ? { path, cid } : { path, cid, profile }
}

function readFiles(value: unknown, limits: PackageLimits, findings: Findings): Map<string, Cid> | undefined {
  if (!(value instanceof Map)) {
    reportWrongType(findings, 'root.files', value, 'a map')
    return undefined
  }
  if (value.size > limits.files) {
    report(findings, 'root.too-many-files', 'root.files', `${value.size} entries, expected ${limits.files} or less`)
    return undefined
  }
  const files = new Map<string, Cid>()
  for (const [key, link] of value) {
    if (typeof key !== 'string') {
      reportWrongType(findings, 'root.files', key, 'text as key')
      continue
    }
    const where = fileWhere(key)
    checkPath(key, where, limits, findings)
    const cid = readLinkValue(link, where, findings)
    if (cid !== undefined) files.set(key, cid)
  }
  return files
}

/** The place of a files entry in findings. */
export function fileWhere(path: string): string {
  return `root.files[${shown(path)}]`
}

function readText(value: unknown, where: string, findings: Findings): string | undefined {
  if (typeof value === 'string') return value
  reportWrongType(findings, where, value, 'text')
  return undefined
}

function readLinkValue(value: unknown, where: string, findings: Findings): Cid | undefined {
  if (!isDecodedLink(value)) {
    reportWrongType(findings, where, value, 'a link')
    return undefined
  }
  const cid = readLink(value)
  if (cid === undefined)
    report(
      findings,
      'link.malformed',
      where,
      'expected tag 42 over 37 bytes: 00, CIDv1, raw or dag-cbor, SHA-256 digest',
    )
  return cid
}

function checkPath(path: string, where: string, limits: PackageLimits, findings: Findings): void {
  const fault = findDocumentPathFault(path, limits)
  if (fault !== undefined) report(findings, fault.code, where, fault.message)
}

function checkCodec(cid: Cid, codec: 'raw' | 'dag-cbor', where: string, findings: Findings): void {
  const got = cidCodec(cid)
  if (got !== codec) report(findings, 'link.codec', where, `codec ${got}, expected ${codec}`)
}

function reportWrongType(findings: Findings, where: string, value: unknown, expected: string): void {
  if (value === null || value === undefined)
    report(findings, 'root.null', where, `null, expected ${expected}; omit what is absent`)
  else if (typeof value === 'number' && !Number.isInteger(value))
    report(findings, 'root.float', where, `a floating point number, expected ${expected}`)
  else report(findings, 'root.wrong-type', where, `${typeName(value)}, expected ${expected}`)
}

function typeName(value: unknown): string {
  if (value instanceof Map) return 'a map'
  if (value instanceof Uint8Array) return 'bytes'
  if (Array.isArray(value)) return 'an array'
  if (isDecodedLink(value)) return 'a link'
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'number':
    case 'bigint':
      return 'an integer'
    default:
      return `a ${typeof value}`
  }
}

/** The field of an entry for the encoder. */
export function entryField(entry: PathEntry & { readonly profile?: string }): RootField {
  const map = new Map<string, RootField>([
    ['path', { text: entry.path }],
    ['cid', { link: entry.cid }],
  ])
  if (entry.profile !== undefined) map.set('profile', { text: entry.profile })
  return { map }
}

/** The field of a files map for the encoder. */
export function filesField(files: ReadonlyMap<string, Cid>): RootField {
  return { map: new Map([...files].map(([path, cid]): [string, RootField] => [path, { link: cid }])) }
}
