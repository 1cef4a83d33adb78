import { U64_MAX } from './limits.ts'

/**
 * A JSON value. Integers from 0 to 2^64-1 are bigint; every other number is a `number`, which no document accepts.
 * Objects have no prototype and keep the order of their keys.
 */
export type JsonValue = null | boolean | bigint | number | string | readonly JsonValue[] | JsonObject
/** A JSON object without prototype. */
export type JsonObject = { readonly [key: string]: JsonValue }

/** A parsed text and its depth: a scalar has 1, a container 1 more than its deepest member. */
export type ParsedJson = { readonly value: JsonValue; readonly depth: number }

/** Containers inside each other that the parser refuses. Source: notes, section 1, step 4. */
export const REFUSED_NESTING = 128

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const PLAIN_INTEGER = /^(?:0|[1-9][0-9]{0,19})$/

class JsonFault extends Error {}

/**
 * Parses JSON of RFC 8259; undefined when the text is not JSON, holds a lone surrogate or a number out of range, or nests
 * {@link REFUSED_NESTING} containers. Of a repeated key the last value stays: every document is rendered again and compared,
 * so that a repeated key is refused there, at the step where the reference refuses it. Never throws.
 */
export function parseJson(text: string): ParsedJson | undefined {
  try {
    return readAll(text)
  } catch (cause) {
    if (cause instanceof JsonFault) return undefined
    throw cause
  }
}

function readAll(text: string): ParsedJson {
  let at = 0

  const skipSpace = () => {
    for (;;) {
      const unit = text.charCodeAt(at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      at += 1
    }
  }
  const take = (token: string): boolean => {
    if (!text.startsWith(token, at)) return false
    at += token.length
    return true
  }
  const readString = (): string => {
    if (text.charCodeAt(at) !== 0x22) throw new JsonFault()
    const start = at
    let escaped = false
    for (at += 1; ; at += 1) {
      const unit = text.charCodeAt(at)
      // NaN at the end of the text fails the comparison, too.
      if (!(unit >= 0x20)) throw new JsonFault()
      if (unit === 0x22) break
      if (unit === 0x5c) {
        escaped = true
        at += 1
      }
    }
    at += 1
    return escaped ? readEscaped(text.slice(start, at)) : text.slice(start + 1, at - 1)
  }
  const readNumber = (): bigint | number => {
    NUMBER.lastIndex = at
    const digits = NUMBER.exec(text)?.[0]
    if (digits === undefined) throw new JsonFault()
    at += digits.length
    if (PLAIN_INTEGER.test(digits)) {
      const integer = BigInt(digits)
      if (integer <= U64_MAX) return integer
    }
    const number = Number(digits)
    if (!Number.isFinite(number)) throw new JsonFault()
    return number
  }
  const readObject = (nesting: number): ParsedJson => {
    if (nesting >= REFUSED_NESTING) throw new JsonFault()
    at += 1
    const object = Object.create(null) as { [key: string]: JsonValue }
    let deepest = 0
    skipSpace()
    if (take('}')) return { value: object, depth: 1 }
    do {
      skipSpace()
      const key = readString()
      skipSpace()
      if (!take(':')) throw new JsonFault()
      const member = readValue(nesting + 1)
      object[key] = member.value
      deepest = Math.max(deepest, member.depth)
      skipSpace()
    } while (take(','))
    if (!take('}')) throw new JsonFault()
    return { value: object, depth: deepest + 1 }
  }
  const readArray = (nesting: number): ParsedJson => {
    if (nesting >= REFUSED_NESTING) throw new JsonFault()
    at += 1
    const array: JsonValue[] = []
    let deepest = 0
    skipSpace()
    if (take(']')) return { value: array, depth: 1 }
    do {
      const member = readValue(nesting + 1)
      array.push(member.value)
      deepest = Math.max(deepest, member.depth)
      skipSpace()
    } while (take(','))
    if (!take(']')) throw new JsonFault()
    return { value: array, depth: deepest + 1 }
  }
  const readValue = (nesting: number): ParsedJson => {
    skipSpace()
    switch (text[at]) {
      case '{':
        return readObject(nesting)
      case '[':
        return readArray(nesting)
      case '"':
        return { value: readString(), depth: 1 }
      case 't':
        if (take('true')) return { value: true, depth: 1 }
        break
      case 'f':
        if (take('false')) return { value: false, depth: 1 }
        break
      case 'n':
        if (take('null')) return { value: null, depth: 1 }
        break
      default:
        return { value: readNumber(), depth: 1 }
    }
    throw new JsonFault()
  }

  const parsed = readValue(1)
  skipSpace()
  if (at !== text.length) throw new JsonFault()
  return parsed
}

function readEscaped(quoted: string): string {
  let value: string
  try {
    value = JSON.parse(quoted) as string
  } catch {
    throw new JsonFault()
  }
  if (!value.isWellFormed()) throw new JsonFault()
  return value
}

const NEEDS_ESCAPE = /["\\\p{Cc}]/u
const RARE_CONTROL = /(?!\n)\p{Cc}/u
const CONTROL = /\p{Cc}/gu

/** Writes a string as JSON. */
export type Quote = (text: string) => string

/**
 * The string form of Economic Agent documents: `"`, `\`, LF, CR and TAB have their short escapes, every other control
 * character (U+0000-001F, U+007F-009F) is `\u` and four lower-case digits, nothing else is escaped. Source: notes, section 1.
 */
export function quote(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  if (!RARE_CONTROL.test(escaped)) return `"${escaped.replaceAll('\n', '\\n')}"`
  return `"${escaped.replace(CONTROL, escapeControl)}"`
}

function escapeControl(char: string): string {
  if (char === '\n') return '\\n'
  if (char === '\r') return '\\r'
  if (char === '\t') return '\\t'
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
