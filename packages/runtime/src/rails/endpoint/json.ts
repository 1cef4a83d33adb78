/**
 * JSON whose numbers keep their digits: an integer is a bigint of any size and sign, every other number is a
 * {@link JsonDecimal} that holds its text, so that an amount is never rounded.
 */
export type ExactJson = null | boolean | string | bigint | JsonDecimal | readonly ExactJson[] | ExactJsonObject
/** An object; ask `Object.hasOwn` for keys. */
export type ExactJsonObject = { readonly [key: string]: ExactJson }

/** A number with a fraction or an exponent, as written. */
export class JsonDecimal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const INTEGER = /^-?(?:0|[1-9][0-9]*)$/
/** Digits of an integer that is turned into a bigint: far above any chain's, far below what takes time. */
const MAX_DIGITS = 80

/** Source text access of ECMAScript's JSON.parse, which TypeScript 5.9 does not describe. */
type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown

/** Parses JSON. Undefined when the text is not JSON, nests too deeply for the platform, or has an integer over 80 digits. */
export function parseExactJson(text: string): ExactJson | undefined {
  let hasFault = false
  try {
    const value = parseWithSource(text, (_key, member, { source }) => {
      if (typeof member !== 'number' || source === undefined) return member
      if (source.length > MAX_DIGITS) hasFault = true
      if (hasFault) return null
      return INTEGER.test(source) ? BigInt(source) : new JsonDecimal(source)
    })
    return hasFault ? undefined : (value as ExactJson)
  } catch {
    return undefined
  }
}

/** Writes JSON; bigints and decimals as numbers with all their digits. */
export function renderExactJson(value: ExactJson): string {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof JsonDecimal) return value.text
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isExactArray(value)) return `[${value.map(renderExactJson).join(',')}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${renderExactJson(member)}`)
  return `{${members.join(',')}}`
}

/** Whether a value is an array. */
export function isExactArray(value: ExactJson | undefined): value is readonly ExactJson[] {
  return Array.isArray(value)
}

/** Whether a value is an object, not an array and not a number. */
export function isExactObject(value: ExactJson | undefined): value is ExactJsonObject {
  return typeof value === 'object' && value !== null && !isExactArray(value) && !(value instanceof JsonDecimal)
}

/** A member of an object; undefined when there is none of its own, or the value is no object. */
export function memberOf(value: ExactJson | undefined, key: string): ExactJson | undefined {
  return isExactObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
