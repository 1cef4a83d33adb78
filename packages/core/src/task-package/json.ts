import type { FindingCode } from './codes.ts'
import { shown } from './findings.ts'
import type { PackageLimits } from './limits.ts'

/** A JSON value; integer literals beyond 2^53 are bigint, objects have no prototype. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject
/** A JSON object without prototype, so that keys such as `__proto__` are plain keys. */
export type JsonObject = { readonly [key: string]: JsonValue }

/** The value, or the first rule that the bytes break. */
export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly code: Extract<FindingCode, `json.${string}`>; readonly message: string }

class JsonFault extends Error {
  readonly code: Extract<FindingCode, `json.${string}`>
  constructor(code: Extract<FindingCode, `json.${string}`>, message: string) {
    super(message)
    this.code = code
  }
}

/** Digits of the longest integer that is kept exact; 2^256 has 78. Longer ones become inexact numbers. */
const MAX_INTEGER_DIGITS = 80

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y
const SPACE = /[\t\n\r ]*/y
const STRING_END = /["\\]/g

/**
 * JSON text of RFC 8259, and beyond it: no byte order mark, no repeated keys, no lone surrogates, size and nesting
 * limited. `JSON.parse` keeps the last of two equal keys, so two readers could see two manifests. Never throws.
 */
export function parseStrictJson(bytes: Uint8Array, limits: PackageLimits): ParsedJson {
  if (bytes.length > limits.jsonBytes)
    return { ok: false, code: 'json.too-large', message: `${bytes.length} bytes, expected ${limits.jsonBytes} or less` }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { ok: false, code: 'json.bom', message: 'the text starts with a byte order mark; remove it' }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { ok: false, code: 'json.not-utf8', message: 'the bytes are not UTF-8' }
  }
  try {
    return { ok: true, value: readText(text, limits.jsonDepth) }
  } catch (cause) {
    if (cause instanceof JsonFault) return { ok: false, code: cause.code, message: cause.message }
    throw cause
  }
}

function readText(text: string, maxDepth: number): JsonValue {
  let position = 0

  const skipSpace = () => {
    SPACE.lastIndex = position
    position += SPACE.exec(text)?.[0].length ?? 0
  }
  const syntax = (expected: string): never => {
    const got = position < text.length ? shown(text.slice(position, position + 12)) : 'the end'
    throw new JsonFault('json.syntax', `at character ${position}: got ${got}, expected ${expected}`)
  }
  const take = (token: string) => {
    if (!text.startsWith(token, position)) syntax(shown(token))
    position += token.length
  }

  const readString = (): string => {
    const start = position
    take('"')
    for (;;) {
      STRING_END.lastIndex = position
      const end = STRING_END.exec(text)
      if (end === null) return syntax('the end of a string')
      position = end.index + (end[0] === '"' ? 1 : 2)
      if (end[0] === '"') break
    }
    let value: string
    try {
      value = JSON.parse(text.slice(start, position)) as string
    } catch {
      position = start
      return syntax('a string without control characters and unknown escapes')
    }
    if (!value.isWellFormed()) throw new JsonFault('json.not-utf8', `at character ${start}: half of a surrogate pair`)
    return value
  }

  const readNumber = (): number | bigint => {
    NUMBER.lastIndex = position
    const match = NUMBER.exec(text)
    if (match === null) return syntax('a value')
    position += match[0].length
    const value = Number(match[0])
    const isInteger = match[1] === undefined && match[2] === undefined
    return isInteger && !Number.isSafeInteger(value) && match[0].length <= MAX_INTEGER_DIGITS ? BigInt(match[0]) : value
  }

  /** Reads `,`-separated items up to `close`; the opening bracket is taken. */
  const readItems = (close: string, readItem: () => void) => {
    skipSpace()
    if (text[position] === close) {
      position++
      return
    }
    for (;;) {
      readItem()
      skipSpace()
      if (text[position] === close) break
      take(',')
    }
    position++
  }

  const readValue = (depth: number): JsonValue => {
    if (depth > maxDepth) throw new JsonFault('json.too-deep', `nests deeper than ${maxDepth} levels`)
    skipSpace()
    switch (text[position]) {
      case '{': {
        position++
        const object: Record<string, JsonValue> = Object.create(null)
        readItems('}', () => {
          skipSpace()
          const key = readString()
          if (Object.hasOwn(object, key)) throw new JsonFault('json.duplicate-key', `the key ${shown(key)} is repeated`)
          skipSpace()
          take(':')
          object[key] = readValue(depth + 1)
        })
        return object
      }
      case '[': {
        position++
        const array: JsonValue[] = []
        readItems(']', () => {
          array.push(readValue(depth + 1))
        })
        return array
      }
      case '"':
        return readString()
      case 't':
        take('true')
        return true
      case 'f':
        take('false')
        return false
      case 'n':
        take('null')
        return null
      default:
        return readNumber()
    }
  }

  const value = readValue(1)
  skipSpace()
  if (position < text.length) syntax('the end')
  return value
}

/** Compact JSON with keys in code-unit order at every level, as UTF-8: one byte string for one value. */
export function encodeSortedJson(value: JsonValue): Uint8Array {
  return new TextEncoder().encode(writeSorted(value))
}

function writeSorted(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`
  const entries = Object.entries(value as JsonObject).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${writeSorted(child)}`).join(',')}}`
}
