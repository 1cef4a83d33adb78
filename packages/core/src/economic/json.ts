import { U64_MAX } from './limits.ts'

/**
 * A JSON value. Integers from 0 to 2^64-1 are bigint; every other number is a `number`, which no document accepts.
 * Every key of an object is its own, `__proto__` too.
 */
export type JsonValue = null | boolean | bigint | number | string | readonly JsonValue[] | JsonObject
/** A JSON object. Ask `Object.hasOwn` for keys that no shape knows. */
export type JsonObject = { readonly [key: string]: JsonValue }

/** A parsed text and its depth: a scalar has 1, a container 1 more than its deepest member. */
export type ParsedJson = { readonly value: JsonValue; readonly depth: number }

/** Containers inside each other that the parser refuses. Source: notes, section 1, step 4. */
export const REFUSED_NESTING = 128

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
/** How a key is set that an assignment would take for the prototype. */
const OWN = { configurable: true, enumerable: true, writable: true }
const PLAIN_INTEGER = /^(?:0|[1-9][0-9]{0,19})$/

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** Digits of an integer that a number holds exactly, whatever they are. */
const SAFE_DIGITS = 15

class JsonFault extends Error {}

const SLOTS = 512
/** Keys that documents have, by {@link slotOf}; found there, a key needs no copy of its own. Bounded by the shapes. */
const KNOWN_KEYS: readonly string[][] = Array.from({ length: SLOTS }, () => [])

function slotOf(first: number, last: number, length: number): number {
  return (first * 31 + last * 7 + length * 61) % SLOTS
}

/** Makes the parser know a key of a shape. Which keys it knows changes its speed and nothing else. */
export function knowKey(key: string): void {
  const known = KNOWN_KEYS[slotOf(key.charCodeAt(0), key.charCodeAt(key.length - 1), key.length)]
  if (known?.includes(key) === false) known.push(key)
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

/** Whether a character after digits makes them a part of another number: `.`, `e`, `E`. */
function continuesNumber(unit: number): boolean {
  return unit === 0x2e || unit === 0x65 || unit === 0x45
}

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
  /** Depth of the value that was read last. */
  let depth = 0

  const skipSpace = () => {
    for (;;) {
      const unit = text.charCodeAt(at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      at += 1
    }
  }
  /** Takes one character, spaces before it included. */
  const takeSpaced = (unit: number): boolean => {
    skipSpace()
    if (text.charCodeAt(at) !== unit) return false
    at += 1
    return true
  }
  const copyKey = (start: number, end: number): string => {
    const slot = slotOf(text.charCodeAt(start), text.charCodeAt(end - 1), end - start)
    const known = KNOWN_KEYS[slot]
    if (known !== undefined)
      for (const key of known) if (key.length === end - start && text.startsWith(key, start)) return key
    return text.slice(start, end)
  }
  const readString = (isKey = false): string => {
    if (text.charCodeAt(at) !== QUOTE) throw new JsonFault()
    const start = at
    let escaped = false
    for (at += 1; ; at += 1) {
      const unit = text.charCodeAt(at)
      // NaN at the end of the text fails the comparison, too.
      if (!(unit >= 0x20)) throw new JsonFault()
      if (unit === QUOTE) break
      if (unit === BACKSLASH) {
        escaped = true
        at += 1
      }
    }
    at += 1
    if (escaped) return readEscaped(text.slice(start, at))
    return isKey ? copyKey(start + 1, at - 1) : text.slice(start + 1, at - 1)
  }
  const readNumber = (): bigint | number => {
    const start = at
    let end = at
    let small = 0
    for (let unit = text.charCodeAt(end); isDigit(unit); unit = text.charCodeAt(end)) {
      small = small * 10 + (unit - 0x30)
      end += 1
    }
    const plain = end - start <= SAFE_DIGITS && end > start && (text.charCodeAt(start) !== 0x30 || end === start + 1)
    if (plain && !continuesNumber(text.charCodeAt(end))) {
      at = end
      return BigInt(small)
    }
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
  const readObject = (nesting: number): JsonObject => {
    const object: { [key: string]: JsonValue } = {}
    let deepest = 0
    if (!takeSpaced(CLOSE_OBJECT)) {
      do {
        skipSpace()
        const key = readString(true)
        if (!takeSpaced(COLON)) throw new JsonFault()
        const value = readValue(nesting + 1)
        if (key === '__proto__') Object.defineProperty(object, key, { ...OWN, value })
        else object[key] = value
        if (depth > deepest) deepest = depth
      } while (takeSpaced(COMMA))
      if (!takeSpaced(CLOSE_OBJECT)) throw new JsonFault()
    }
    depth = deepest + 1
    return object
  }
  const readArray = (nesting: number): readonly JsonValue[] => {
    const array: JsonValue[] = []
    let deepest = 0
    if (!takeSpaced(CLOSE_ARRAY)) {
      do {
        array.push(readValue(nesting + 1))
        if (depth > deepest) deepest = depth
      } while (takeSpaced(COMMA))
      if (!takeSpaced(CLOSE_ARRAY)) throw new JsonFault()
    }
    depth = deepest + 1
    return array
  }
  const readWord = (word: string, value: boolean | null): boolean | null => {
    if (!text.startsWith(word, at)) throw new JsonFault()
    at += word.length
    return value
  }
  const readValue = (nesting: number): JsonValue => {
    skipSpace()
    const unit = text.charCodeAt(at)
    if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      if (nesting >= REFUSED_NESTING) throw new JsonFault()
      at += 1
      return unit === OPEN_OBJECT ? readObject(nesting) : readArray(nesting)
    }
    depth = 1
    if (unit === QUOTE) return readString()
    if (unit === 0x74) return readWord('true', true)
    if (unit === 0x66) return readWord('false', false)
    return unit === 0x6e ? readWord('null', null) : readNumber()
  }

  const value = readValue(1)
  const parsed = { value, depth }
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

/** Anything that has an escape in some writing: quotes, backslashes, controls, and halves of characters, as a lone one is escaped. */
const MAYBE_ESCAPED = /[^ !#-[\]-~\u00a0-\ud7ff\ue000-\uffff]/

/** JSON of a string by `JSON.stringify`; spares it for the many texts in which nothing is escaped. */
export function platformQuote(text: string): string {
  return MAYBE_ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** The characters that `JSON.stringify` writes in another way. */
const WRITTEN_OTHERWISE = /[\b\f\u007f-\u009f]/
const CONTROL = /\p{Cc}/gu

/** Writes a string as JSON. */
export type Quote = (text: string) => string

/**
 * The string form of Economic Agent documents: `"`, `\`, LF, CR and TAB have their short escapes, every other control
 * character (U+0000-001F, U+007F-009F) is `\u` and four lower-case digits, nothing else is escaped. Source: notes, section 1.
 */
export function quote(text: string): string {
  if (!MAYBE_ESCAPED.test(text)) return `"${text}"`
  if (text.length < LONG || text.length > MAX_KEPT) return escapeAll(text)
  if (text !== lastLong.text) lastLong = { text, quoted: escapeAll(text) }
  return lastLong.quoted
}

/** Texts of a length between these are quoted several times in a row: a trace inside Evidence, written and read again. */
const LONG = 4096
const MAX_KEPT = 65_536
let lastLong = { text: '', quoted: '""' }

function escapeAll(text: string): string {
  if (!WRITTEN_OTHERWISE.test(text)) return JSON.stringify(text)
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replace(CONTROL, escapeControl)}"`
}

function escapeControl(char: string): string {
  if (char === '\n') return '\\n'
  if (char === '\r') return '\\r'
  if (char === '\t') return '\\t'
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
