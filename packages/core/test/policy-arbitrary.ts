import fc from 'fast-check'
import { type Address, parseSignature } from '../src/call-data/index.ts'
import {
  type Condition,
  KEEP_DELAY,
  MAX_DELAY_SEC,
  OPERATIONS,
  type Policy,
  type Rule,
  ruleKeyOf,
} from '../src/scope-policy/index.ts'

/** Random policies in the form that the chain gives back: what an operation does not look at is zero. */
const UINT256_MAX = 2n ** 256n - 1n
const NO_CODE_HASH = `0x${'0'.repeat(64)}` as const
const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`

/** Few addresses, so that rules, caps and charges meet. */
export const PLACES = ['a1', 'a2', 'a3', 'b1', 'b2'].map((end): Address => `0x${end.padStart(40, '0')}`)
/** Functions that rules are for; some parameters have names and types that conditions can use. */
export const SIGNATURES = [
  'transfer(address to, uint256 amount)',
  'swap((address tokenIn, uint24 fee, bytes4 tag) params, address[] path, bool strict, int128 tick)',
  'pay(uint8[2] small, bytes data, address)',
]
export const SELECTORS = [
  ...SIGNATURES.map((text) => parseSignature(text).selector),
  '0x12345678',
  '0x00000000',
] as const

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value): `0x${string}` => `0x${Buffer.from(value).toString('hex')}`)
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
/** Small and large, and the edges. */
const amount = (bits: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 50n }) },
    { weight: 1, arbitrary: uint(bits) },
    { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n ** BigInt(bits) - 1n) },
  )
const seconds = (bits: number) => amount(bits).map(Number)

/** Two times in three the value that lets most calls pass, so that calls are not all refused. */
const often = <T>(value: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other })

const condition: fc.Arbitrary<Condition> = fc
  .record({
    op: fc.nat({ max: OPERATIONS.length - 1 }),
    offset: fc.oneof(fc.constantFrom(0, 32, 64, 96, 128, 160), fc.nat({ max: 65_535 })),
    value: fc.oneof(amount(232), fc.constantFrom(...PLACES).map(BigInt)),
  })
  .map(({ op, offset, value }) => {
    const operation = OPERATIONS[op]
    if (operation === 'SelfIs') return { op, offset, value: 0n }
    if (operation === 'InSet' || operation === 'EachInSet') return { op, offset, value: value % 3n }
    return { op, offset: operation === 'LengthIs' ? 0 : offset, value }
  })

const asset = fc.constantFrom(ZERO_ADDRESS, ...PLACES)

const rule: fc.Arbitrary<Rule> = fc
  .record({
    target: fc.constantFrom(...PLACES),
    selector: fc.constantFrom(...SELECTORS),
    plain: fc.boolean(),
    expiresAt: often(0, seconds(40)),
    maxValue: often(2n ** 128n - 1n, amount(128)),
    maxTokenOut: often(UINT256_MAX, amount(256)),
    codeHash: often(NO_CODE_HASH, hex(32)),
    spendAsset: asset,
    spendOffset: fc.constantFrom(0, 32, 64, 7),
    callLimit: often(0, seconds(32)),
    callPeriodSec: seconds(40),
    conditions: often([], fc.array(condition, { maxLength: 5 })),
  })
  .map((made) => ({
    ...made,
    ...(made.plain && { selector: '0x00000000' as const, conditions: [], spendAsset: ZERO_ADDRESS, maxTokenOut: 0n }),
    spendOffset: made.plain || made.spendAsset === ZERO_ADDRESS ? 0 : made.spendOffset,
    callPeriodSec: made.callLimit === 0 ? 0 : made.callPeriodSec,
  }))

/** A policy that the contract takes. */
export const policy: fc.Arbitrary<Policy> = fc.record({
  rules: fc.uniqueArray(rule, { maxLength: 6, selector: ruleKeyOf }),
  caps: fc.uniqueArray(
    fc.record({
      asset,
      limit: amount(128),
      periodSec: seconds(40),
      lifetime: fc.oneof(fc.constant(UINT256_MAX), amount(256)),
    }),
    { maxLength: 4, selector: (cap) => cap.asset },
  ),
  members: fc.uniqueArray(
    fc.record({
      set: fc.bigInt({ min: 0n, max: 2n }),
      member: fc.oneof(amount(256), fc.constantFrom(...PLACES).map(BigInt)),
    }),
    { maxLength: 8, selector: ({ set, member }) => `${set}:${member}` },
  ),
  delaySec: fc.oneof(fc.constant(KEEP_DELAY), fc.integer({ min: 0, max: MAX_DELAY_SEC })),
})

/** A policy and a variation of it: rules and caps kept, dropped, or with one field of another. */
export const policyPair: fc.Arbitrary<readonly [Policy, Policy]> = fc
  .record({ from: policy, other: policy, dice: fc.array(fc.nat({ max: 99 }), { minLength: 40, maxLength: 40 }) })
  .map(({ from, other, dice }) => {
    let at = 0
    const roll = () => dice[at++ % dice.length] ?? 0
    const kept = <T>(items: readonly T[]) => items.filter(() => roll() < 80)
    const rules = kept(from.rules).map((one): Rule => {
      const donor = other.rules[roll() % Math.max(other.rules.length, 1)]
      if (donor === undefined || one.plain || donor.plain) return one
      const fields = ['expiresAt', 'maxValue', 'maxTokenOut', 'codeHash', 'conditions', 'calls', 'spends'] as const
      const field = fields[roll() % fields.length] ?? 'calls'
      if (field === 'calls') return { ...one, callLimit: donor.callLimit, callPeriodSec: donor.callPeriodSec }
      if (field === 'spends') return { ...one, spendAsset: donor.spendAsset, spendOffset: donor.spendOffset }
      if (field === 'conditions')
        return { ...one, conditions: [...one.conditions, ...donor.conditions].slice(roll() % 3) }
      return { ...one, [field]: donor[field] }
    })
    const caps = kept(from.caps).map((cap) => {
      const donor = other.caps[roll() % Math.max(other.caps.length, 1)]
      const field = (['limit', 'periodSec', 'lifetime'] as const)[roll() % 3] ?? 'limit'
      return donor === undefined ? cap : { ...cap, [field]: donor[field] }
    })
    return [from, { ...from, rules, caps, members: kept(from.members) }]
  })

/** A call that a policy of {@link policy} may have rules for. */
export type RandomCall = {
  readonly target: Address
  readonly value: bigint
  readonly data: `0x${string}`
  readonly tokenOut: bigint
  readonly nowSec: bigint
}

const callWord = fc
  .oneof(
    { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 60n }) },
    { weight: 1, arbitrary: uint(256) },
    { weight: 2, arbitrary: fc.constantFrom(...PLACES).map(BigInt) },
  )
  .map((word) => word.toString(16).padStart(64, '0'))
const callData = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...SELECTORS),
      fc.array(callWord, { maxLength: 8 }),
      fc.constantFrom('', '00', 'ff'.repeat(31)),
    )
    .map(([selector, words, rest]): `0x${string}` => `${selector}${words.join('')}${rest}`),
  fc.constantFrom<`0x${string}`>('0x', '0x12', '0x000000'),
)

/** Calls at any time from second `fromSec` on. */
export function callFrom(fromSec: bigint): fc.Arbitrary<RandomCall> {
  return fc.record({
    target: fc.constantFrom(...PLACES),
    value: fc.oneof(fc.constant(0n), amount(128)),
    data: callData,
    tokenOut: fc.oneof(fc.constant(0n), amount(256)),
    nowSec: fc
      .oneof(fc.bigInt({ min: 0n, max: 1_000n }), fc.bigInt({ min: 0n, max: 2n ** 40n }))
      .map((at) => fromSec + at),
  })
}

/** The call, at the target and function of one of the rules, if there are any. */
export function aimCall(call: RandomCall, { rules }: Policy, pick: number): RandomCall {
  const rule = rules[pick % Math.max(rules.length, 1)]
  if (rule === undefined) return call
  const data: `0x${string}` = rule.plain ? '0x' : `${rule.selector}${call.data.slice(10)}`
  return { ...call, target: rule.target, data }
}
