import { decodeOptions, encode } from '@ipld/dag-cbor'
import { decode, type TagDecodeControl, Tokenizer, Type } from 'cborg'
import { CID } from 'multiformats/cid'
import { type Cid, cidBytes, cidFromBytes } from '../digest/index.ts'
import { type Findings, noFindings, reasonOf, report } from './findings.ts'
import { MAX_ROOT_DEPTH } from './limits.ts'

/** Tag of a link. Source: DAG-CBOR specification, Links. */
const LINK_TAG = 42

/** A link as it stands in the bytes; it is judged later, so that a malformed one gets a place. */
export type DecodedLink = { readonly kind: 'link'; readonly content: unknown }

/** Whether a decoded value is a link: plain objects come from nothing else, since maps decode to `Map`. */
export function isDecodedLink(value: unknown): value is DecodedLink {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'link'
}

/** The CID of a link, or undefined when its bytes are not 00 and a {@link Cid}. Source: ERC-8414, TaskRoot, link. */
export function readLink(link: DecodedLink): Cid | undefined {
  const content = link.content
  if (!(content instanceof Uint8Array) || content[0] !== 0) return undefined
  return cidFromBytes(content.subarray(1))
}

class NestingError extends Error {}

/** The library's tokenizer, ended before nesting can exhaust the decoder's recursion. */
function boundedTokenizer(bytes: Uint8Array) {
  const tokenizer = new Tokenizer(bytes, decodeOptions)
  const open: number[] = []
  return {
    done: () => tokenizer.done(),
    pos: () => tokenizer.pos(),
    next: () => {
      const token = tokenizer.next()
      while (open.at(-1) === 0) open.pop()
      const parent = open.pop()
      if (parent !== undefined) open.push(parent - 1)
      const children = countChildren(token)
      if (children > 0) open.push(children)
      if (open.length > MAX_ROOT_DEPTH) throw new NestingError()
      return token
    },
  }
}

function countChildren(token: { type: Type; value?: unknown }): number {
  if (Type.equals(token.type, Type.tag)) return 1
  if (Type.equals(token.type, Type.array)) return Number(token.value)
  return Type.equals(token.type, Type.map) ? 2 * Number(token.value) : 0
}

/** A decoded root before its shape is judged: every map is a `Map` with keys of any type, every link a {@link DecodedLink}. */
export type DecodedRoot = { readonly value: unknown; readonly findings: Findings }

/** Decodes DAG-CBOR and compares the deterministic encoding of the result with the bytes. Faults are findings; never throws. */
export function decodeRoot(bytes: Uint8Array): DecodedRoot {
  const findings = noFindings()
  const value = decodeBytes(bytes, findings)
  if (findings.list.length === 0) checkCanonical(value, bytes, findings)
  return { value, findings }
}

function decodeBytes(bytes: Uint8Array, findings: Findings): unknown {
  try {
    return decode(bytes, {
      ...decodeOptions,
      useMaps: true,
      tags: { [LINK_TAG]: (content: TagDecodeControl): DecodedLink => ({ kind: 'link', content: content() }) },
      tokenizer: boundedTokenizer(bytes),
    })
  } catch (cause) {
    if (cause instanceof NestingError) {
      report(findings, 'root.too-deep', 'root', `nests deeper than ${MAX_ROOT_DEPTH} levels`)
    } else {
      report(findings, 'root.malformed', 'root', `not DAG-CBOR: ${reasonOf(cause)}`)
    }
    return undefined
  }
}

/** The decoder accepts a few forms that are not deterministic (undefined, repaired UTF-8), so the bytes are made again. */
function checkCanonical(value: unknown, bytes: Uint8Array, findings: Findings): void {
  const again = encodeAgain(value)
  if (again === undefined) return
  if (again === 'unencodable' || !equalBytes(again, bytes))
    report(findings, 'root.not-canonical', 'root', 'the deterministic encoding of this root has other bytes')
}

/** Undefined when a link is malformed: that link has its own finding, and no bytes to compare. */
function encodeAgain(value: unknown): Uint8Array | 'unencodable' | undefined {
  let malformedLink = false
  const convert = (node: unknown): unknown => {
    if (node instanceof Map) return new Map([...node].map(([key, child]) => [key, convert(child)]))
    if (Array.isArray(node)) return node.map(convert)
    if (!isDecodedLink(node)) return node
    const cid = readLink(node)
    if (cid !== undefined) return toLink(cid)
    malformedLink = true
    return null
  }
  try {
    const converted = convert(value)
    return malformedLink ? undefined : encode(converted)
  } catch {
    return 'unencodable'
  }
}

/** Whether two byte strings are the same. Not for secrets: the time depends on the content. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

/** The object that the encoder writes as tag 42. */
function toLink(cid: Cid): CID {
  return CID.decode(cidBytes(cid))
}

/** One field of a root to encode: text, a link, or a map of links. */
export type RootField = { readonly text: string } | { readonly link: Cid } | { readonly map: RootFields }
/** The fields of a map to encode, by key; the encoder orders them. */
export type RootFields = ReadonlyMap<string, RootField>

/** Deterministic DAG-CBOR: definite lengths, shortest integers, keys in bytewise order. Source: ERC-8414, TaskRoot. */
export function encodeRoot(fields: RootFields): Uint8Array {
  // On Node the encoder may give a Buffer over its pool; callers get plain bytes of their own.
  return new Uint8Array(encode(toEncodable(fields)))
}

function toEncodable(fields: RootFields): Map<string, unknown> {
  const map = new Map<string, unknown>()
  for (const [key, field] of fields) {
    if ('text' in field) map.set(key, field.text)
    else if ('link' in field) map.set(key, toLink(field.link))
    else map.set(key, toEncodable(field.map))
  }
  return map
}
