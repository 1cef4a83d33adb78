import type { JsonObject, JsonValue, Quote } from './json.ts'
import { knowKey } from './json.ts'

/** Throws the error that stands for a value of the wrong type. */
export type Refuse = (detail: string) => never

/** How a value of type `T` is read from JSON and written as canonical JSON. */
export type Shape<T> = {
  /** The value, or `refuse` when the type is wrong. */
  readonly read: (value: JsonValue | undefined, refuse: Refuse, at: string) => T
  /** Compact JSON. */
  readonly write: (value: T, quote: Quote) => string
}

/** The shape of a closed object: exactly these keys, written in this order. */
export type RecordShape<T> = Shape<T> & {
  readonly keys: readonly (keyof T & string)[]
  /** The object when it has exactly the keys of the shape; their values are not looked at. */
  readonly readKeys: (
    value: JsonValue | undefined,
    refuse: Refuse,
    at: string,
  ) => { readonly [K in keyof T]: JsonValue }
}

/** Any string. */
export const anyText: Shape<string> = {
  read: (value, refuse, at) => (typeof value === 'string' ? value : refuse(`${at}: expected a string`)),
  write: (value, quote) => quote(value),
}

/** A string that a check accepts. */
export function textOf<T extends string>(check: (text: string) => text is T, expected: string): Shape<T> {
  return {
    read: (value, refuse, at) =>
      typeof value === 'string' && check(value) ? value : refuse(`${at}: expected ${expected}`),
    write: (value, quote) => quote(value),
  }
}

/** One of some strings. */
export function oneOf<const T extends string>(...texts: readonly T[]): Shape<T> {
  const known: ReadonlySet<string> = new Set(texts)
  return textOf((text): text is T => known.has(text), texts.join(' or '))
}

/** An integer from 0 to 2^64-1. */
export const u64: Shape<bigint> = {
  read: (value, refuse, at) =>
    typeof value === 'bigint' ? value : refuse(`${at}: expected an integer from 0 to 2^64-1`),
  write: (value) => value.toString(),
}

/** A boolean. */
export const flag: Shape<boolean> = {
  read: (value, refuse, at) => (typeof value === 'boolean' ? value : refuse(`${at}: expected true or false`)),
  write: (value) => (value ? 'true' : 'false'),
}

/** A value or null. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    read: (value, refuse, at) => (value === null ? null : shape.read(value, refuse, at)),
    write: (value, quote) => (value === null ? 'null' : shape.write(value, quote)),
  }
}

/** An array. */
export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    read: (value, refuse, at) =>
      isArray(value) ? value.map((member) => shape.read(member, refuse, at)) : refuse(`${at}: expected an array`),
    write: (value, quote) => `[${value.map((member) => shape.write(member, quote)).join(',')}]`,
  }
}

/** An array that equals a list of strings. */
export function exactly<const T extends readonly string[]>(texts: T): Shape<T> {
  const strings = listOf(anyText)
  /** The constant list as each writer of strings writes it; there are two. */
  const written = new Map<Quote, string>()
  return {
    read: (value, refuse, at) => {
      const list = strings.read(value, refuse, at)
      if (list.length !== texts.length || list.some((text, index) => text !== texts[index]))
        return refuse(`${at}: expected the ${texts.length} fixed entries in their order`)
      return texts
    },
    write: (value, quote) => {
      if (value !== texts) return strings.write(value, quote)
      const known = written.get(quote) ?? strings.write(texts, quote)
      written.set(quote, known)
      return known
    },
  }
}

/** A closed object whose keys are in canonical order. */
export function record<T extends object>(fields: { readonly [K in keyof T]-?: Shape<T[K]> }): RecordShape<T> {
  const keys = Object.keys(fields) as (keyof T & string)[]
  for (const key of keys) knowKey(key)
  const members = keys.map((key, index) => ({
    key,
    shape: fields[key] as Shape<T[keyof T]>,
    head: `${index === 0 ? '{' : ','}"${key}":`,
  }))
  const readKeys: RecordShape<T>['readKeys'] = (value, refuse, at) => {
    if (!isObject(value)) return refuse(`${at}: expected an object`)
    // What is canonical has the keys in their order; only what is not needs to be told why.
    const own = Object.keys(value)
    if (own.length === keys.length && keys.every((key, index) => key === own[index]))
      return value as { readonly [K in keyof T]: JsonValue }
    const missing = keys.find((key) => !Object.hasOwn(value, key))
    if (missing !== undefined) return refuse(`${at}.${missing}: missing`)
    if (own.length !== keys.length) return refuse(`${at}: has a key that it must not have`)
    return value as { readonly [K in keyof T]: JsonValue }
  }
  return {
    keys,
    readKeys,
    read: (value, refuse, at) => {
      const object = readKeys(value, refuse, at)
      const result: { [key: string]: T[keyof T] } = {}
      for (const { key, shape } of members) result[key] = shape.read(object[key], refuse, `${at}.${key}`)
      return result as T
    },
    write: (value, quote) => {
      let text = ''
      for (const { key, shape, head } of members) text += head + shape.write(value[key], quote)
      return `${text}}`
    },
  }
}

/** A closed object of integers, in the order of the names. */
export function integers<Name extends string>(names: readonly Name[]): RecordShape<{ readonly [N in Name]: bigint }> {
  const fields = Object.fromEntries(names.map((name) => [name, u64]))
  // The compiler cannot see that the entries have exactly these names.
  return record(fields) as unknown as RecordShape<{ readonly [N in Name]: bigint }>
}

/** One of several closed objects. */
export function eitherOf<T>(read: Shape<T>['read'], write: Shape<T>['write']): Shape<T> {
  return { read, write }
}

/** Whether a value is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is an array. */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
