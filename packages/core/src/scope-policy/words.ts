import { hexToBytes } from '@noble/hashes/utils.js'
import type { FunctionSignature, Parameter, ParameterType } from '../call-data/index.ts'
import { keccak256 } from '../digest/index.ts'

const WORD_BYTES = 32

/** Where a parameter stands in the arguments, and what it is; or why it cannot be named. */
export type PlacedParameter =
  | { readonly ok: true; readonly offset: number; readonly type: ParameterType }
  | { readonly ok: false; readonly problem: string }

const STEP = /\.?([A-Za-z_$][A-Za-z0-9_$]*)|\[(0|[1-9][0-9]{0,3})\]/y

/**
 * Finds `receiver`, `params.tokenIn`, `path[1]` or, where the signature names nothing, `#0` by position.
 * Only what stands at a fixed place can be named: inside a dynamic tuple or array nothing does.
 */
export function placeParameter(signature: FunctionSignature, path: string): PlacedParameter {
  const position = /^#(0|[1-9][0-9]{0,2})(.*)$/s.exec(path)
  const first = position === null ? undefined : signature.parameters[Number(position[1])]
  if (position !== null && first === undefined)
    return { ok: false, problem: `${signature.name} has ${signature.parameters.length} parameters` }
  let fields: readonly Parameter[] = signature.parameters
  let type: ParameterType | undefined = first?.type
  let offset = first === undefined ? 0 : offsetOf(fields, first)
  let rest = position === null ? path : (position[2] ?? '')
  while (rest !== '' || type === undefined) {
    STEP.lastIndex = 0
    const step = STEP.exec(rest)
    if (step === null) return { ok: false, problem: `${JSON.stringify(path)} is no path to a parameter` }
    rest = rest.slice(step[0].length)
    if (type?.dynamic === true)
      return { ok: false, problem: `${type.text} is dynamic, so nothing inside it has a fixed place; name an offset` }
    if (step[1] !== undefined) {
      if (type !== undefined) {
        if (type.kind !== 'tuple') return { ok: false, problem: `${type.text} has no fields` }
        fields = type.fields
      }
      const field = fields.find(({ name }) => name === step[1])
      if (field === undefined) {
        const names = fields.map(({ name }, index) => (name === '' ? `#${index}` : name)).join(', ')
        return { ok: false, problem: `there is no ${step[1]}; there are: ${names === '' ? 'no parameters' : names}` }
      }
      offset += offsetOf(fields, field)
      type = field.type
    } else {
      const index = Number(step[2])
      if (type?.kind !== 'array' || type.length === undefined || index >= type.length)
        return { ok: false, problem: `${type?.text ?? 'the call'} has no element ${index}` }
      offset += index * type.element.words * WORD_BYTES
      type = type.element
    }
  }
  return { ok: true, offset, type }
}

function offsetOf(fields: readonly Parameter[], field: Parameter): number {
  return fields.slice(0, fields.indexOf(field)).reduce((sum, { type }) => sum + type.words * WORD_BYTES, 0)
}

/** One word with a name: where it stands and of what type it is. */
export type NamedWord = { readonly path: string; readonly offset: number; readonly type: ParameterType }

/** Every word of a signature that has a fixed place, with the path that {@link placeParameter} takes. */
export function listWords(signature: FunctionSignature): readonly NamedWord[] {
  const words: NamedWord[] = []
  const visit = (path: string, offset: number, type: ParameterType): void => {
    if (type.kind === 'tuple' && !type.dynamic) visitFields(type.fields, `${path}.`, offset)
    else if (type.kind === 'array' && !type.dynamic && type.length !== undefined) {
      for (let index = 0; index < type.length; index += 1)
        visit(`${path}[${index}]`, offset + index * type.element.words * WORD_BYTES, type.element)
    } else words.push({ path, offset, type })
  }
  const visitFields = (fields: readonly Parameter[], prefix: string, start: number): void => {
    let offset = start
    for (const [index, { name, type }] of fields.entries()) {
      // a field of a tuple without a name has no path of its own
      if (name !== '' || prefix === '') visit(`${prefix}${name === '' ? `#${index}` : name}`, offset, type)
      offset += type.words * WORD_BYTES
    }
  }
  visitFields(signature.parameters, '', 0)
  return words
}

/** Whether conditions can look at each element: a dynamic array whose elements are words. */
export function isWordArray(type: ParameterType): boolean {
  return type.kind === 'array' && type.length === undefined && type.element.kind === 'word'
}

/** First 232 bits of keccak256 of a word: how a condition compares words that it cannot hold. Twin of ScopeConditions.sol. */
export function hashOfWord(word: bigint): bigint {
  return BigInt(keccak256(hexToBytes(word.toString(16).padStart(64, '0')))) >> 24n
}
