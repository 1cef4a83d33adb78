import { types } from 'node:util'
import type { JsonObject, JsonValue } from '@oikos/core'
import { MAX_RECORD_BYTES, MAX_RECORD_DEPTH } from '@oikos/core/reasoning'

/** Values that one answer may hold; a record of 256 KiB has fewer. */
const MAX_VALUES = 20_000

/** Why a value is no plain data. */
export type DataFault = 'not-plain' | 'too-large'

/** Own fields of an object of plain data, or undefined for anything else. Runs no code of the value. */
export function plainFields(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (value === null || typeof value !== 'object' || types.isProxy(value) || Array.isArray(value)) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return undefined
  const fields = new Map<string, unknown>()
  for (const key of Reflect.ownKeys(value)) {
    const field = Object.getOwnPropertyDescriptor(value, key)
    if (typeof key !== 'string' || field === undefined || !('value' in field) || field.enumerable !== true)
      return undefined
    fields.set(key, field.value)
  }
  return fields
}

/**
 * Copies plain JSON data into objects without prototype: no proxies, accessors, symbols, classes, holes, numbers that JSON
 * does not have, nor more than one record can hold. Fields that are undefined are left out. Runs no code of the value.
 */
export function copyData(value: unknown): { readonly copy: JsonValue } | { readonly fault: DataFault } {
  let values = 0
  let characters = 0

  const text = (part: string): string => {
    characters += part.length
    if (characters > MAX_RECORD_BYTES) throw new Fault('too-large')
    if (!part.isWellFormed()) throw new Fault('not-plain')
    return part
  }
  const copy = (part: unknown, depth: number): JsonValue => {
    values += 1
    if (values > MAX_VALUES || depth > MAX_RECORD_DEPTH) throw new Fault('too-large')
    switch (typeof part) {
      case 'string':
        return text(part)
      case 'boolean':
        return part
      case 'number':
        if (!Number.isFinite(part)) throw new Fault('not-plain')
        return part
      case 'bigint':
        text(part.toString())
        return part
      case 'object':
        return part === null ? null : Array.isArray(part) ? copyList(part, depth) : copyObject(part, depth)
      default:
        throw new Fault('not-plain')
    }
  }
  const copyList = (list: readonly unknown[], depth: number): JsonValue => {
    if (types.isProxy(list)) throw new Fault('not-plain')
    if (list.length > MAX_VALUES) throw new Fault('too-large')
    return Array.from({ length: list.length }, (_, index) => {
      const item = Object.getOwnPropertyDescriptor(list, index)
      if (item === undefined || !('value' in item)) throw new Fault('not-plain')
      return copy(item.value, depth + 1)
    })
  }
  const copyObject = (object: object, depth: number): JsonObject => {
    const fields = plainFields(object)
    if (fields === undefined) throw new Fault('not-plain')
    const result: Record<string, JsonValue> = Object.create(null)
    for (const [key, field] of fields) if (field !== undefined) result[text(key)] = copy(field, depth + 1)
    return result
  }

  try {
    return { copy: copy(value, 1) }
  } catch (cause) {
    if (cause instanceof Fault) return { fault: cause.fault }
    throw cause
  }
}

class Fault extends Error {
  readonly fault: DataFault
  constructor(fault: DataFault) {
    super(fault)
    this.fault = fault
  }
}
