import { keccak256 } from '../digest/index.ts'
import { SignatureFormatError } from './errors.ts'

/** A type of the contract ABI. `words` is its size in the head of its tuple: 1 where it is dynamic, because a pointer is there. */
export type ParameterType = {
  /** Canonical spelling, e.g. `uint256` or `(address,bytes)[]`. */
  readonly text: string
  readonly words: number
  readonly dynamic: boolean
} & (
  | { readonly kind: 'word' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'array'; readonly element: ParameterType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly fields: readonly Parameter[] }
)

/** One parameter; the name is empty where the signature gives none. */
export type Parameter = { readonly name: string; readonly type: ParameterType }

/** A function as its signature says. */
export type FunctionSignature = {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** Name and types without spaces and names: what the selector is the hash of. */
  readonly canonical: string
  /** `0x` and eight lower-case digits. */
  readonly selector: `0x${string}`
}

/** Characters of a signature. The longest in common use have about 500. */
const MAX_SIGNATURE_CHARACTERS = 2_000
/** Nesting of tuples and arrays. */
const MAX_TYPE_DEPTH = 8
/** Words of a fixed array or tuple; offsets in a Scope have 16 bits, so nothing beyond 2,047 words can be named. */
const MAX_WORDS = 2_048

const NAME = /[A-Za-z_$][A-Za-z0-9_$]*/y
const SPACE = /[ \t\n\r]*/y
const SUFFIX = /\[([1-9][0-9]{0,3})?\]/y
/** Words of the language that may stand between type and name. */
const LOCATIONS: ReadonlySet<string> = new Set(['calldata', 'memory', 'storage', 'payable', 'indexed'])
const WORD_TYPE =
  /^(?:address|bool|function|u?int(?:8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256)|bytes(?:[1-9]|[12][0-9]|3[0-2]))$/

/**
 * Reads `deposit(uint256 assets, address receiver)`. Names are optional, `uint` and `int` are their long forms, tuples are
 * written `(address token, uint256 fee) params`; a leading `function` and what follows the parameters are not read.
 * @throws SignatureFormatError
 */
export function parseSignature(text: string): FunctionSignature {
  const fail = (problem: string): never => {
    throw new SignatureFormatError(text, problem)
  }
  if (text.length > MAX_SIGNATURE_CHARACTERS) return fail(`more than ${MAX_SIGNATURE_CHARACTERS} characters`)
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at += found[0].length
    return found
  }
  const skip = () => {
    match(SPACE)
  }
  const take = (token: string): boolean => {
    skip()
    if (!text.startsWith(token, at)) return false
    at += token.length
    return true
  }
  const readType = (depth: number): ParameterType => {
    if (depth > MAX_TYPE_DEPTH) return fail(`types nest deeper than ${MAX_TYPE_DEPTH}`)
    skip()
    let type: ParameterType
    if (take('(')) type = tupleOf(readParameters(depth + 1))
    else {
      const word = match(NAME)?.[0]
      if (word === undefined) return fail(`a type was expected at character ${at}`)
      if (word === 'tuple' && take('(')) type = tupleOf(readParameters(depth + 1))
      else type = elementaryOf(word) ?? fail(`${JSON.stringify(word)} is no type of the contract ABI`)
    }
    for (let suffix = match(SUFFIX); suffix !== null; suffix = match(SUFFIX)) {
      type = arrayOf(type, suffix[1] === undefined ? undefined : Number(suffix[1]))
      if (type.words > MAX_WORDS) return fail(`a type has more than ${MAX_WORDS} words`)
    }
    return type
  }
  const readParameters = (depth: number): readonly Parameter[] => {
    const parameters: Parameter[] = []
    if (take(')')) return parameters
    for (;;) {
      const type = readType(depth)
      let name = ''
      for (skip(); name === ''; skip()) {
        const word = match(NAME)?.[0]
        if (word === undefined) break
        if (!LOCATIONS.has(word)) name = word
      }
      if (name !== '' && parameters.some((other) => other.name === name))
        return fail(`two parameters are named ${name}`)
      parameters.push({ name, type })
      if (take(')')) break
      if (!take(',')) return fail(`a comma or a closing bracket was expected at character ${at}`)
    }
    if (parameters.reduce((sum, { type }) => sum + type.words, 0) > MAX_WORDS)
      return fail(`more than ${MAX_WORDS} words`)
    return parameters
  }

  skip()
  let name = match(NAME)?.[0]
  if (name === 'function') {
    skip()
    name = match(NAME)?.[0] ?? name
  }
  if (name === undefined) return fail('the name of a function was expected at its start')
  if (!take('(')) return fail('an opening bracket was expected behind the name')
  const parameters = readParameters(1)
  skip()
  if (at !== text.length) return fail(`nothing was expected at character ${at}, behind the parameters`)
  const canonical = `${name}(${parameters.map(({ type }) => type.text).join(',')})`
  const selector = `0x${keccak256(new TextEncoder().encode(canonical)).slice(2, 10)}` as const
  return { name, parameters, canonical, selector }
}

function elementaryOf(word: string): ParameterType | undefined {
  const text = word === 'uint' || word === 'int' ? `${word}256` : word
  if (text === 'bytes' || text === 'string') return { kind: 'bytes', text, words: 1, dynamic: true }
  return WORD_TYPE.test(text) ? { kind: 'word', text, words: 1, dynamic: false } : undefined
}

function tupleOf(fields: readonly Parameter[]): ParameterType {
  const dynamic = fields.some(({ type }) => type.dynamic)
  return {
    kind: 'tuple',
    fields,
    text: `(${fields.map(({ type }) => type.text).join(',')})`,
    dynamic,
    words: dynamic ? 1 : fields.reduce((sum, { type }) => sum + type.words, 0),
  }
}

function arrayOf(element: ParameterType, length: number | undefined): ParameterType {
  const dynamic = length === undefined || element.dynamic
  return {
    kind: 'array',
    element,
    length,
    text: `${element.text}[${length ?? ''}]`,
    dynamic,
    words: dynamic ? 1 : element.words * (length ?? 0),
  }
}
