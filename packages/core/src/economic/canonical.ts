import type { DocumentKind } from './catalog.ts'
import { documentBytesField, documentSchema } from './catalog.ts'
import { limitExceeded, notCanonical, notUtf8, replayMismatch } from './diagnostics.ts'
import type { JsonObject } from './json.ts'
import { parseJson, quote } from './json.ts'
import type { Limits } from './limits.ts'
import { PRODUCTION_LIMITS } from './limits.ts'
import type { Refuse, Shape } from './shape.ts'
import { isObject } from './shape.ts'
import { utf8Length, utf8Text } from './text.ts'

/**
 * Takes bytes of the builder budget and throws SPX-G216 when they are not left. Parsers charge exactly what the budget's
 * model asks (notes, section 13), at the step where they allocate; without a meter nothing is charged.
 */
export type Meter = { readonly charge: (bytes: bigint) => void }

/** Canonical text of a document: compact JSON and one LF. */
export function renderCanonical<T>(shape: Shape<T>, value: T): string {
  return `${shape.write(value, quote)}\n`
}

class OtherValuesError extends Error {
  override readonly name = 'OtherValuesError'
}

/**
 * The canonical text of values that were written in another way (spaces, key order, escapes, no final LF), for people who
 * write a document by hand; undefined when the bytes are not JSON of this shape. Nothing is judged: parse what comes out.
 * A byte order mark is dropped, and of a repeated key the last value is taken.
 */
export function canonicalTextOf<T>(shape: Shape<T>, bytes: Uint8Array): string | undefined {
  const text = utf8Text(bytes)?.replace(/^\ufeff/, '')
  const parsed = text === undefined ? undefined : parseJson(text)
  if (parsed === undefined) return undefined
  try {
    const refuse: Refuse = (detail) => {
      throw new OtherValuesError(detail)
    }
    return renderCanonical(shape, shape.read(parsed.value, refuse, ''))
  } catch (cause) {
    if (cause instanceof OtherValuesError) return undefined
    throw cause
  }
}

/** Bytes that the JSON form of some strings takes, quotes and escapes included. */
export function quotedBytes(...texts: readonly string[]): bigint {
  let sum = 0
  for (const text of texts) sum += utf8Length(quote(text))
  return BigInt(sum)
}

/** The error of a wrong type or key set in a document of a kind. */
export function refuseAs(kind: DocumentKind): Refuse {
  return (detail) => {
    throw notCanonical(kind, detail)
  }
}

/**
 * Steps 1 to 6 of the parse procedure: size, final LF, body, JSON, depth, schema. The depth and size limits here are those
 * of the standard. Throws SPX-G216 or SPX-G210. Source: notes, section 1.
 */
export function parseCanonical(
  kind: DocumentKind,
  bytes: Uint8Array,
  maxBytes: bigint = PRODUCTION_LIMITS[`max_${documentBytesField(kind)}`],
): { readonly object: JsonObject; readonly text: string; readonly depth: number } {
  if (BigInt(bytes.length) > maxBytes) throw limitExceeded(documentBytesField(kind), maxBytes)
  const text = utf8Text(bytes)
  if (text === undefined) throw notCanonical(kind, 'the bytes are not UTF-8')
  if (!text.endsWith('\n')) throw notCanonical(kind, 'the final LF is missing')
  const isOneLine = text.indexOf('\n') === text.length - 1 && text.length > 1 && !text.includes('\r')
  if (!isOneLine || text.startsWith('\ufeff'))
    throw notCanonical(kind, 'expected one line without CR, LF or byte order mark')
  // The final LF is white space to JSON; a text without it would be a slice, which is slower to read.
  const parsed = parseJson(text)
  if (parsed === undefined) throw notCanonical(kind, 'the line is not JSON')
  if (BigInt(parsed.depth) > PRODUCTION_LIMITS.max_json_depth)
    throw limitExceeded('json_depth', PRODUCTION_LIMITS.max_json_depth)
  if (!isObject(parsed.value) || parsed.value['schema'] !== documentSchema(kind))
    throw notCanonical(kind, `expected an object with schema ${documentSchema(kind)}`)
  return { object: parsed.value, text, depth: parsed.depth }
}

/** The last step of parsing: the document renders to exactly the bytes that were read, else SPX-G210. */
export function requireRerender<T>(kind: DocumentKind, shape: Shape<T>, value: T, text: string): void {
  if (renderCanonical(shape, value) !== text) throw notCanonical(kind, 'rendered again, the text differs')
}

/**
 * What bytes from an adapter or the journal must pass before they are parsed: the configured size, UTF-8, balanced
 * brackets and quotes (SPX-G217), the configured depth. Charges the sidecar. Source: notes, section 1, pre-check.
 */
export function precheck(kind: DocumentKind, bytes: Uint8Array, limits: Limits, meter?: Meter): void {
  const field = documentBytesField(kind)
  const maximum = limits[`max_${field}`]
  if (BigInt(bytes.length) > maximum) throw limitExceeded(field, maximum)
  if (utf8Text(bytes) === undefined) throw notUtf8(field)
  const nesting = bracketNesting(bytes)
  if (nesting === undefined) throw replayMismatch(`${field}: brackets or quotes are not balanced`)
  if (BigInt(nesting) + 1n > limits.max_json_depth) throw limitExceeded('json_depth', limits.max_json_depth)
  meter?.charge(BigInt(bytes.length) * (limits.max_json_depth + 2n))
}

/** The deepest nesting of brackets outside strings, or undefined when they or the quotes are not balanced. */
function bracketNesting(bytes: Uint8Array): number | undefined {
  let nesting = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (inString) {
      if (byte === 0x5c) index += 1
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) {
      inString = true
    } else if (byte === 0x7b || byte === 0x5b) {
      nesting += 1
      deepest = Math.max(deepest, nesting)
    } else if (byte === 0x7d || byte === 0x5d) {
      nesting -= 1
      if (nesting < 0) return undefined
    }
  }
  return inString || nesting !== 0 ? undefined : deepest
}
