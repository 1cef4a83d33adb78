import type { FunctionSignature, ParameterType } from '../call-data/index.ts'
import { readAddress } from '../call-data/index.ts'
import { type Findings, report, shown } from '../task-package/findings.ts'
import { readAmount } from './amount.ts'
import type { PolicyCode } from './codes.ts'
import type { PolicyCondition, PolicyValue } from './document.ts'
import { type Names, shownValue } from './names.ts'
import { type Condition, OPERATIONS, type Operation, UINT232_MAX, UINT256_MAX } from './policy.ts'
import { hashOfWord, isWordArray, placeParameter } from './words.ts'

/** The operations of a document, by field. */
const FIELDS = ['is', 'equals', 'not', 'atMost', 'atLeast', 'hashIs', 'in', 'eachIn', 'length'] as const

/** Index of an operation in the contract. */
function operationIndex(operation: Operation): number {
  return OPERATIONS.indexOf(operation)
}

/** Compiles one condition; what is wrong becomes a finding at `where`. */
export function compileCondition(
  condition: PolicyCondition,
  signature: FunctionSignature | undefined,
  names: Names,
  where: string,
  findings: Findings<PolicyCode>,
): Condition | undefined {
  const given = FIELDS.filter((field) => condition[field] !== undefined)
  const [field] = given
  if (field === undefined || given.length > 1) {
    const got = given.length === 0 ? 'none' : given.join(', ')
    report(findings, 'condition.operation', where, `got ${got}, expected exactly one of ${FIELDS.join(', ')}`)
    return undefined
  }
  if (field === 'length') {
    if (condition.parameter !== undefined || condition.offset !== undefined)
      report(findings, 'condition.operation', where, 'length is of the whole call; leave out parameter and offset')
    const length = BigInt(condition.length ?? 0)
    if (length > UINT232_MAX) report(findings, 'condition.value', `${where}.length`, 'no call is that long')
    return { offset: 0, op: operationIndex('LengthIs'), value: length }
  }
  const place = placeOf(condition, signature, where, findings)
  if (place === undefined) return undefined
  const { offset, type } = place
  const refuse = (message: string): undefined => {
    report(findings, 'condition.operation', `${where}.${field}`, message)
    return undefined
  }
  const make = (operation: Operation, value: bigint): Condition => ({ offset, op: operationIndex(operation), value })

  if (field === 'eachIn') {
    if (type !== undefined && !isWordArray(type)) return refuse(`${type.text} is no array of words`)
    const set = setOf(condition.eachIn, names, `${where}.eachIn`, findings)
    return set === undefined ? undefined : make('EachInSet', set)
  }
  if (type !== undefined && type.kind !== 'word')
    return refuse(`${type.text} is more than one word${isWordArray(type) ? '; eachIn looks at its elements' : ''}`)
  switch (field) {
    case 'is':
      if (type !== undefined && type.text !== 'address')
        return refuse(`the Agent is an address, and this is ${type.text}`)
      return make('SelfIs', 0n)
    case 'hashIs':
      return make('HashIs', BigInt(condition.hashIs ?? '0x0'))
    case 'in': {
      const set = setOf(condition.in, names, `${where}.in`, findings)
      return set === undefined ? undefined : make('InSet', set)
    }
    case 'equals':
    case 'not':
    case 'atMost':
    case 'atLeast': {
      const isOrder = field === 'atMost' || field === 'atLeast'
      if (isOrder && type !== undefined && !type.text.startsWith('uint'))
        return refuse(`${type.text} has no order that a Scope knows; only unsigned integers have`)
      const value = condition[field] ?? 0
      const word = readWord(value, type, names)
      if (typeof word === 'string') {
        report(findings, 'condition.value', `${where}.${field}`, `${shownValue(value)}: ${word}`)
        return undefined
      }
      if (word <= UINT232_MAX) return make(WORD_OPERATIONS[field], word)
      if (field === 'equals') return make('HashIs', hashOfWord(word))
      report(findings, 'condition.value', `${where}.${field}`, 'a Scope compares at most 232 bits this way')
      return undefined
    }
    default:
      return field satisfies never
  }
}

const WORD_OPERATIONS = { equals: 'Equal', not: 'NotEqual', atMost: 'AtMost', atLeast: 'AtLeast' } as const

/** Offset and type of what a condition or charge looks at; the type is unknown for a bare offset. */
export function placeOf(
  place: { readonly parameter?: string; readonly offset?: number },
  signature: FunctionSignature | undefined,
  where: string,
  findings: Findings<PolicyCode>,
): { readonly offset: number; readonly type: ParameterType | undefined } | undefined {
  const { parameter, offset } = place
  if ((parameter === undefined) === (offset === undefined)) {
    report(findings, 'condition.parameter', where, 'expected either a parameter or an offset')
    return undefined
  }
  if (parameter === undefined) return { offset: offset ?? 0, type: undefined }
  if (signature === undefined) {
    report(
      findings,
      'condition.parameter',
      where,
      'the call is a selector, so parameters have no names; name an offset',
    )
    return undefined
  }
  const placed = placeParameter(signature, parameter)
  if (placed.ok) return placed
  report(findings, 'condition.parameter', `${where}.parameter`, `${shown(parameter)}: ${placed.problem}`)
  return undefined
}

function setOf(
  name: string | undefined,
  names: Names,
  where: string,
  findings: Findings<PolicyCode>,
): bigint | undefined {
  const id = names.sets.get(name ?? '')
  if (id === undefined) report(findings, 'set.unknown', where, `${shown(name ?? '')} is not in sets`)
  return id
}

const INTEGER = /^-?(?:0|[1-9][0-9]{0,77})$/
const HEX = /^0x(?:[0-9a-fA-F]{2}){0,32}$/

/** The word of a value for a parameter of this type, or what is wrong. Without a type: an integer, a name, an address, or hexadecimal. */
export function readWord(value: PolicyValue, type: ParameterType | undefined, names: Names): bigint | string {
  if (type === undefined) return readUntyped(value, names)
  const { text } = type
  if (text === 'bool') return typeof value === 'boolean' ? BigInt(value) : 'expected true or false'
  if (typeof value === 'boolean') return `expected a value of ${text}`
  if (text === 'address') {
    const address = typeof value === 'string' ? namedAddress(value, names) : undefined
    return address === undefined ? 'it is no name of contracts or assets, and no address' : BigInt(address)
  }
  const bits = Number(/[0-9]+$/.exec(text)?.[0] ?? '256')
  if (text.startsWith('uint') || text.startsWith('int')) {
    const integer = readInteger(value, names)
    if (integer === undefined) return 'expected an integer, or an amount with the name of an asset'
    const isSigned = text.startsWith('int')
    const least = isSigned ? -(1n << BigInt(bits - 1)) : 0n
    const most = (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n
    return integer < least || integer > most ? `it does not fit ${text}` : BigInt.asUintN(256, integer)
  }
  // bytesN and function: N bytes at the high end
  const size = text === 'function' ? 24 : bits
  const digits = String(value).slice(2)
  if (!HEX.test(String(value)) || digits.length !== size * 2) return `expected 0x and ${size * 2} hexadecimal digits`
  return BigInt(`0x${digits.padEnd(64, '0')}`)
}

function readUntyped(value: PolicyValue, names: Names): bigint | string {
  if (typeof value === 'boolean') return BigInt(value)
  const address = typeof value === 'string' ? namedAddress(value, names) : undefined
  if (address !== undefined) return BigInt(address)
  if (typeof value === 'string' && value.length > 2 && HEX.test(value)) return BigInt(value)
  const integer = readInteger(value, names)
  return integer === undefined || integer < 0n || integer > UINT256_MAX
    ? 'expected a natural number, a name, an address, or hexadecimal of up to 32 bytes'
    : integer
}

function namedAddress(text: string, names: Names): string | undefined {
  return names.contracts.get(text) ?? names.assets.get(text)?.address ?? readAddress(text)
}

function readInteger(value: PolicyValue, names: Names): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value === 'boolean') return undefined
  if (INTEGER.test(value)) return BigInt(value)
  const unit = names.assets.get(value.split(' ')[1] ?? '')
  const amount = unit === undefined ? undefined : readAmount(value, unit)
  return amount?.ok === true ? amount.atomic : undefined
}
