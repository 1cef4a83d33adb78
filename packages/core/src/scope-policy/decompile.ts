import {
  type Address,
  type ParameterType,
  parseSignature,
  toChecksumAddress,
  ZERO_ADDRESS,
} from '../call-data/index.ts'
import { writeAmount } from './amount.ts'
import {
  KEEP,
  NEVER,
  PLAIN_PAYMENT,
  POLICY_SCHEMA,
  type PolicyCap,
  type PolicyCondition,
  type PolicyDocument,
  type PolicyRule,
  type PolicyValue,
  THE_AGENT,
  UNLIMITED,
} from './document.ts'
import { NATIVE, NATIVE_ASSET, type NamedAsset } from './names.ts'
import {
  type Cap,
  type Condition,
  KEEP_DELAY,
  NO_CODE_HASH,
  OPERATIONS,
  type Policy,
  type Rule,
  UINT128_MAX,
  UINT256_MAX,
} from './policy.ts'
import { writeDuration, writeMoment } from './time.ts'
import { isWordArray, listWords, type NamedWord } from './words.ts'

/** The Accept Token, and names that the chain does not know. What is not named stays visible as address, selector, offset, number. */
export type DecompileOptions = {
  readonly acceptToken: NamedAsset
  readonly title?: string
  readonly assets?: readonly NamedAsset[]
  readonly contracts?: { readonly [name: string]: Address }
  /** Ids of sets by name. */
  readonly sets?: { readonly [name: string]: bigint }
  /** Signatures of functions that rules may be for; the first with a selector serves. */
  readonly signatures?: readonly string[]
}

/** Names that a document can hold; a token may call itself anything. Twin of `name` in schemas/document.json. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/

type Known = {
  readonly assets: ReadonlyMap<Address, NamedAsset>
  readonly contracts: ReadonlyMap<string, string>
  readonly sets: ReadonlyMap<bigint, string>
  readonly signatures: ReadonlyMap<string, { readonly text: string; readonly words: readonly NamedWord[] }>
  readonly acceptToken: NamedAsset
}

/**
 * The document of a policy. Compiled again it gives the same policy; members are grouped by set.
 * @throws SignatureFormatError for a signature in the options that is none
 */
export function decompilePolicy(policy: Policy, options: DecompileOptions): PolicyDocument {
  const known = readKnown(policy, options)
  const { [ZERO_ADDRESS]: native, ...tokens } = Object.fromEntries(known.assets)
  const assets = [...(native === NATIVE_ASSET ? [] : [native]), ...Object.values(tokens)].filter(
    (asset) => asset !== undefined,
  )
  const sets = writeSets(policy, known)
  const caps = policy.caps.map((cap) => writeCap(cap, known))
  return {
    schema: POLICY_SCHEMA,
    ...(options.title !== undefined && { title: options.title }),
    delay: policy.delaySec === KEEP_DELAY ? KEEP : writeDuration(policy.delaySec),
    acceptToken: known.acceptToken.symbol,
    assets: Object.fromEntries(
      assets.map(({ symbol, address, decimals }) => [
        symbol,
        { address: address === ZERO_ADDRESS ? NATIVE : toChecksumAddress(address), decimals },
      ]),
    ),
    ...(known.contracts.size > 0 && {
      contracts: Object.fromEntries(
        [...known.contracts].map(([address, name]) => [name, toChecksumAddress(address as Address)]),
      ),
    }),
    ...(Object.keys(sets).length > 0 && { sets }),
    rules: policy.rules.map((rule) => writeRule(rule, known)),
    ...(caps.length > 0 && { caps }),
  }
}

function readKnown(policy: Policy, options: DecompileOptions): Known {
  const assets = new Map<Address, NamedAsset>()
  const taken = new Set<string>()
  const addAsset = (asset: NamedAsset): NamedAsset => {
    const address = asset.address.toLowerCase() as Address
    const known = assets.get(address)
    if (known !== undefined) return known
    // a name that no document can hold, or that another asset has, gives way to one made from the address
    const isUsable = NAME.test(asset.symbol) && !taken.has(asset.symbol)
    const named = isUsable ? { ...asset, address } : { symbol: `atomic-${address.slice(2)}`, decimals: 0, address }
    taken.add(named.symbol)
    assets.set(address, address === ZERO_ADDRESS && isSameAsset(named, NATIVE_ASSET) ? NATIVE_ASSET : named)
    return named
  }
  const acceptToken = addAsset(options.acceptToken)
  for (const asset of options.assets ?? []) addAsset(asset)
  addAsset(NATIVE_ASSET)
  const used = [...policy.caps.map(({ asset }) => asset), ...policy.rules.map(({ spendAsset }) => spendAsset)]
  for (const address of used) addAsset({ symbol: '', decimals: 0, address })

  const contracts = new Map<string, string>()
  for (const [name, address] of Object.entries(options.contracts ?? {}))
    if (NAME.test(name) && !taken.has(name)) contracts.set(address.toLowerCase(), name)
  const sets = new Map<bigint, string>()
  const setNames = Object.entries(options.sets ?? {}).filter(([name]) => NAME.test(name))
  for (const [name, id] of setNames) if (!sets.has(id)) sets.set(id, name)
  for (const id of usedSets(policy)) {
    const name = `set-${id.toString(16)}`
    if (!sets.has(id)) sets.set(id, [...sets.values()].includes(name) ? `${name}-` : name)
  }
  const signatures = new Map<string, { text: string; words: readonly NamedWord[] }>()
  for (const text of options.signatures ?? []) {
    const signature = parseSignature(text)
    if (!signatures.has(signature.selector)) signatures.set(signature.selector, { text, words: listWords(signature) })
  }
  return { assets, contracts, sets, signatures, acceptToken }
}

function isSameAsset(left: NamedAsset, right: NamedAsset): boolean {
  return left.symbol === right.symbol && left.decimals === right.decimals
}

function usedSets({ rules, members }: Policy): ReadonlySet<bigint> {
  const inConditions = rules
    .flatMap(({ conditions }) => conditions)
    .filter(({ op }) => OPERATIONS[op] === 'InSet' || OPERATIONS[op] === 'EachInSet')
    .map(({ value }) => value)
  return new Set([...inConditions, ...members.map(({ set }) => set)])
}

function writeSets(policy: Policy, known: Known): NonNullable<PolicyDocument['sets']> {
  return Object.fromEntries(
    [...usedSets(policy)].map((id) => [
      known.sets.get(id) ?? '',
      {
        id: id.toString(),
        members: policy.members.filter(({ set }) => set === id).map(({ member }) => writeUntyped(member, known)),
      },
    ]),
  )
}

function writeCap(cap: Cap, known: Known): PolicyCap {
  const asset = assetOf(cap.asset, known)
  return {
    asset: asset.symbol,
    limit: writeBound(cap.limit, UINT128_MAX, asset),
    refill: cap.periodSec === 0 ? NEVER : writeDuration(cap.periodSec),
    ...(cap.lifetime !== UINT256_MAX && { lifetime: writeAmount(cap.lifetime, asset) }),
  }
}

function assetOf(address: Address, known: Known): NamedAsset {
  return known.assets.get(address.toLowerCase() as Address) ?? NATIVE_ASSET
}

function writeBound(atomic: bigint, max: bigint, asset: NamedAsset): string {
  return atomic === max ? UNLIMITED : writeAmount(atomic, asset)
}

function writeRule(rule: Rule, known: Known): PolicyRule {
  const function_ = known.signatures.get(rule.selector)
  const words = rule.plain ? [] : (function_?.words ?? [])
  const call = rule.plain ? PLAIN_PAYMENT : (function_?.text ?? rule.selector)
  const perCall = {
    ...(rule.maxValue > 0n && { native: writeBound(rule.maxValue, UINT128_MAX, assetOf(ZERO_ADDRESS, known)) }),
    ...(rule.maxTokenOut > 0n && { acceptToken: writeBound(rule.maxTokenOut, UINT256_MAX, known.acceptToken) }),
  }
  const charged = rule.spendAsset === ZERO_ADDRESS ? undefined : assetOf(rule.spendAsset, known)
  return {
    to: writeAddress(rule.target, known),
    call,
    ...(rule.conditions.length > 0 && {
      when: rule.conditions.map((condition) => writeCondition(condition, rule, words, known)),
    }),
    ...(Object.keys(perCall).length > 0 && { perCall }),
    ...(charged !== undefined && {
      charge: {
        asset: charged.symbol,
        ...placeOf(rule.spendOffset, words, ({ type }) => type.text.startsWith('uint')),
      },
    }),
    ...(rule.callLimit > 0 && {
      calls: { limit: rule.callLimit, refill: rule.callPeriodSec === 0 ? NEVER : writeDuration(rule.callPeriodSec) },
    }),
    ...(rule.expiresAt > 0 && { until: writeMoment(rule.expiresAt) }),
    ...(rule.codeHash !== NO_CODE_HASH && { codeHash: rule.codeHash }),
  }
}

/** A name where a word that suits stands at the offset, else the offset. */
function placeOf(
  offset: number,
  words: readonly NamedWord[],
  suits: (word: NamedWord) => boolean,
): { readonly parameter: string } | { readonly offset: number } {
  const word = words.find((candidate) => candidate.offset === offset)
  return word !== undefined && word.path !== '' && suits(word) ? { parameter: word.path } : { offset }
}

const VALUE_FIELDS = { Equal: 'equals', NotEqual: 'not', AtMost: 'atMost', AtLeast: 'atLeast' } as const

function writeCondition(
  { offset, op, value }: Condition,
  rule: Rule,
  words: readonly NamedWord[],
  known: Known,
): PolicyCondition {
  const operation = OPERATIONS[op]
  const place = (suits: (word: NamedWord) => boolean) => placeOf(offset, words, suits)
  const isWord = ({ type }: NamedWord) => type.kind === 'word'
  switch (operation) {
    case 'SelfIs':
      return { ...place(({ type }) => type.text === 'address'), is: THE_AGENT }
    case 'HashIs':
      return { ...place(isWord), hashIs: `0x${value.toString(16).padStart(58, '0')}` }
    case 'InSet':
      return { ...place(isWord), in: known.sets.get(value) ?? '' }
    case 'EachInSet':
      return { ...place(({ type }) => isWordArray(type)), eachIn: known.sets.get(value) ?? '' }
    case 'LengthIs':
      return { length: value }
    case 'Equal':
    case 'NotEqual':
    case 'AtMost':
    case 'AtLeast': {
      const isOrder = operation === 'AtMost' || operation === 'AtLeast'
      const field = VALUE_FIELDS[operation]
      const unit =
        offset === rule.spendOffset && rule.spendAsset !== ZERO_ADDRESS ? assetOf(rule.spendAsset, known) : undefined
      const word = words.find((candidate) => candidate.offset === offset && candidate.path !== '')
      const typed =
        word === undefined || (isOrder && !word.type.text.startsWith('uint'))
          ? undefined
          : writeTyped(value, word.type, unit, known)
      return word === undefined || typed === undefined
        ? { offset, [field]: writeUntyped(value, known) }
        : { parameter: word.path, [field]: typed }
    }
    case undefined:
      throw new RangeError(`operation ${op} is none that the contract has`)
    default:
      return operation satisfies never
  }
}

/** The value as its type is written, or undefined where the word is no value of the type. */
function writeTyped(
  value: bigint,
  type: ParameterType,
  unit: NamedAsset | undefined,
  known: Known,
): PolicyValue | undefined {
  if (type.kind !== 'word') return undefined
  const { text } = type
  if (text === 'bool') return value > 1n ? undefined : value === 1n
  if (text === 'address') return value >> 160n === 0n ? writeAddress(addressOf(value), known) : undefined
  const bits = Number(/[0-9]+$/.exec(text)?.[0] ?? '256')
  if (text.startsWith('uint')) {
    if (value >> BigInt(bits) !== 0n) return undefined
    return unit === undefined ? value.toString() : writeAmount(value, unit)
  }
  if (text.startsWith('int')) return value >> BigInt(bits - 1) === 0n ? value.toString() : undefined
  const size = text === 'function' ? 24 : bits
  const digits = value.toString(16).padStart(64, '0')
  return /^0*$/.test(digits.slice(size * 2)) ? `0x${digits.slice(0, size * 2)}` : undefined
}

/** A word without a type: a name or address where it may be one, else a number. */
function writeUntyped(word: bigint, known: Known): string {
  if (word >> 160n === 0n) {
    const name = nameOf(addressOf(word), known)
    if (name !== undefined) return name
    // what is this large and fits is an address far more often than a number
    return word >> 96n === 0n ? word.toString() : toChecksumAddress(addressOf(word))
  }
  return `0x${word.toString(16).padStart(64, '0')}`
}

function addressOf(word: bigint): Address {
  return `0x${word.toString(16).padStart(40, '0')}`
}

function writeAddress(address: Address, known: Known): string {
  return nameOf(address.toLowerCase() as Address, known) ?? toChecksumAddress(address)
}

function nameOf(address: Address, known: Known): string | undefined {
  if (address === ZERO_ADDRESS) return undefined
  return known.contracts.get(address) ?? known.assets.get(address)?.symbol
}
