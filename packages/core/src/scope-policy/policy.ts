import { type Address, ZERO_ADDRESS } from '../call-data/index.ts'

/** What a condition asks of one word. Names and order of IScope.sol, Op. */
export const OPERATIONS = [
  'SelfIs',
  'Equal',
  'NotEqual',
  'AtMost',
  'AtLeast',
  'HashIs',
  'InSet',
  'EachInSet',
  'LengthIs',
] as const
/** A name of {@link OPERATIONS}. */
export type Operation = (typeof OPERATIONS)[number]

/** The answers of a Scope. Names and order of IScope.sol, Verdict. */
export const SCOPE_VERDICTS = [
  'Allowed',
  'NoRule',
  'Expired',
  'CodeChanged',
  'ValueTooHigh',
  'TokenOutTooHigh',
  'Malformed',
  'ConditionFailed',
  'CapExceeded',
  'LifetimeExceeded',
] as const
/** A name of {@link SCOPE_VERDICTS}. */
export type ScopeVerdict = (typeof SCOPE_VERDICTS)[number]

/** One condition as the contract takes it; `op` is an index of {@link OPERATIONS}. */
export type Condition = { readonly offset: number; readonly op: number; readonly value: bigint }

/** One rule as the contract takes it. Source: IScope.sol, Rule. */
export type Rule = {
  readonly target: Address
  readonly selector: `0x${string}`
  readonly plain: boolean
  readonly expiresAt: number
  readonly maxValue: bigint
  readonly maxTokenOut: bigint
  readonly codeHash: `0x${string}`
  readonly spendAsset: Address
  readonly spendOffset: number
  readonly callLimit: number
  readonly callPeriodSec: number
  readonly conditions: readonly Condition[]
}

/** One cap as the contract takes it. Source: IScope.sol, Cap. */
export type Cap = {
  readonly asset: Address
  readonly limit: bigint
  readonly periodSec: number
  readonly lifetime: bigint
}

/** One member of a set as the contract takes it. Source: IScope.sol, Member. */
export type Member = { readonly set: bigint; readonly member: bigint }

/** A change as the contract takes it, in `open`, `propose` and `enact`. Source: IScope.sol, Policy. */
export type Policy = {
  readonly rules: readonly Rule[]
  readonly caps: readonly Cap[]
  readonly members: readonly Member[]
  readonly delaySec: number
}

/** Bounds of the contract. Source: ScopeState.sol, ScopeGovernance.sol, ScopeConditions.sol. */
export const MAX_RULES = 64
export const MAX_CONDITIONS = 12
export const MAX_CHANGE_ITEMS = 64
export const MAX_DELAY_SEC = 30 * 86_400
export const MAX_SET_ELEMENTS = 32

export const UINT40_MAX = 2 ** 40 - 1
export const UINT128_MAX = 2n ** 128n - 1n
export const UINT232_MAX = 2n ** 232n - 1n
export const UINT256_MAX = 2n ** 256n - 1n

/** The delay of a change that keeps the one which is set. Source: IScope.sol, Policy. */
export const KEEP_DELAY = 2 ** 40 - 1

export const NO_SELECTOR = '0x00000000'
export const NO_CODE_HASH: `0x${string}` = `0x${'0'.repeat(64)}`

const PLAIN_MARK = 1n << 192n
const CAP_MARK = 1n << 255n

/** Key of a rule: target (160 bits), selector (32), plain (1), from the low end. Twin of ScopeState.sol, ruleKey. */
export function ruleKeyOf(rule: Pick<Rule, 'target' | 'selector' | 'plain'>): `0x${string}` {
  return toKey(BigInt(rule.target) | (BigInt(rule.selector) << 160n) | (rule.plain ? PLAIN_MARK : 0n))
}

/** Key of the cap of an asset. Twin of ScopeState.sol, capKey. */
export function capKeyOf(asset: Address): `0x${string}` {
  return toKey(BigInt(asset) | CAP_MARK)
}

/** Target, selector and form that a rule's key names. */
export function readRuleKey(key: string): Pick<Rule, 'target' | 'selector' | 'plain'> {
  const word = BigInt(key)
  return {
    target: `0x${hex(word & ((1n << 160n) - 1n), 40)}`,
    selector: `0x${hex((word >> 160n) & 0xffff_ffffn, 8)}`,
    plain: (word & PLAIN_MARK) !== 0n,
  }
}

function toKey(word: bigint): `0x${string}` {
  return `0x${hex(word, 64)}`
}

function hex(value: bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** A leaky bucket as the contract stores it: `used` is the level at second `at`. Source: IScope.sol, Bucket. */
export type Bucket = {
  readonly limit: bigint
  readonly periodSec: number
  readonly used: bigint
  readonly at: bigint
  readonly lifetimeLeft: bigint
}

/** A cap in force. `lifetime` is what it was set to, where the history is known; otherwise what is left of it now. */
export type ScopeCap = Cap & { readonly bucket: Bucket }

/** A rule in force; the bucket is there where calls are counted. */
export type ScopeRule = Rule & { readonly bucket?: Bucket }

/** All that a Scope holds of one Agent. */
export type ScopeState = {
  readonly rules: readonly ScopeRule[]
  readonly caps: readonly ScopeCap[]
  readonly members: readonly Member[]
  readonly delaySec: number
}

/** `RuleState` and `Condition[]` as `ruleOf` of the contract returns them, with the rule's bucket. */
export type RuleReading = {
  readonly key: string
  readonly state: Pick<Rule, 'expiresAt' | 'maxValue' | 'maxTokenOut' | 'codeHash' | 'spendAsset' | 'spendOffset'> & {
    readonly pinned: boolean
    readonly spends: boolean
    readonly counted: boolean
  }
  readonly conditions: readonly Condition[]
  /** Of `bucketOf(key)`; all zero where calls are not counted. */
  readonly bucket: {
    readonly limit: bigint
    readonly periodSec: number
    readonly used: bigint
    readonly at: number | bigint
    readonly lifetimeLeft: bigint
  }
}

/** The rule behind a reading of the chain. What an earlier rule of the same key left in storage is not part of it. */
export function readScopeRule({ key, state, conditions, bucket }: RuleReading): ScopeRule {
  const isCounted = state.counted
  return {
    ...readRuleKey(key),
    expiresAt: state.expiresAt,
    maxValue: state.maxValue,
    maxTokenOut: state.maxTokenOut,
    codeHash: state.pinned ? state.codeHash : NO_CODE_HASH,
    spendAsset: state.spends ? (state.spendAsset.toLowerCase() as Address) : ZERO_ADDRESS,
    spendOffset: state.spends ? state.spendOffset : 0,
    callLimit: isCounted ? Number(bucket.limit) : 0,
    callPeriodSec: isCounted ? bucket.periodSec : 0,
    conditions: conditions.map(normalCondition),
    ...(isCounted && { bucket: { ...bucket, at: BigInt(bucket.at) } }),
  }
}

/** A condition without the fields that its operation does not look at. */
function normalCondition({ offset, op, value }: Condition): Condition {
  const operation = OPERATIONS[op]
  return { offset: operation === 'LengthIs' ? 0 : offset, op, value: operation === 'SelfIs' ? 0n : value }
}

/** What a Scope holds right after a first policy took effect at second `nowSec`. */
export function openScope(policy: Policy, nowSec: bigint): ScopeState {
  const fresh = (limit: bigint, periodSec: number, lifetimeLeft: bigint): Bucket => ({
    limit,
    periodSec,
    used: 0n,
    at: nowSec,
    lifetimeLeft,
  })
  return {
    rules: policy.rules.map((rule) =>
      rule.callLimit === 0 ? rule : { ...rule, bucket: fresh(BigInt(rule.callLimit), rule.callPeriodSec, UINT256_MAX) },
    ),
    caps: policy.caps.map((cap) => ({ ...cap, bucket: fresh(cap.limit, cap.periodSec, cap.lifetime) })),
    members: policy.members,
    delaySec: policy.delaySec === KEEP_DELAY ? 0 : policy.delaySec,
  }
}
