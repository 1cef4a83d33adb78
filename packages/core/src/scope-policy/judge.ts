import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { type Address, ZERO_ADDRESS } from '../call-data/index.ts'
import {
  type Bucket,
  type Condition,
  capKeyOf,
  MAX_SET_ELEMENTS,
  NO_CODE_HASH,
  NO_SELECTOR,
  OPERATIONS,
  ruleKeyOf,
  type ScopeRule,
  type ScopeState,
  type ScopeVerdict,
  UINT256_MAX,
} from './policy.ts'
import { hashOfWord } from './words.ts'

/** A call that an Agent would make, and what of the world the Scope looks at. */
export type ScopedCall = {
  readonly agent: Address
  readonly target: Address
  /** Native value, wei. */
  readonly value: bigint
  /** `0x` and hexadecimal. */
  readonly data: `0x${string}`
  /** The Agent's Accept Token. */
  readonly token: Address
  /** How much of it the call transfers or may pull; see {@link acceptTokenOut}. */
  readonly tokenOut: bigint
  /** Clock of the chain, seconds. */
  readonly nowSec: bigint
  /** Code hash of the target; needed where its rule pins one. */
  readonly targetCodeHash?: `0x${string}`
}

/** What a call takes from one bucket: of an asset's cap, or of the calls of the rule. */
export type Charge = {
  readonly key: `0x${string}`
  readonly of: { readonly kind: 'asset'; readonly asset: Address } | { readonly kind: 'calls' }
  readonly amount: bigint
  /** What the bucket would still give before this call; undefined where nothing bounds it. */
  readonly available: bigint | undefined
}

/** The answer, with all that the call would be charged; no charges where the rule itself refuses. */
export type JudgedCall = {
  readonly verdict: ScopeVerdict
  readonly rule?: ScopeRule
  readonly charges: readonly Charge[]
  /** The charge or condition that refuses. */
  readonly refusedBy?: Charge | Condition
}

/** A dry run lacks a fact that decides. Not retryable without it. */
export class DryRunInputError extends Error {
  override readonly name = 'DryRunInputError'
  readonly retryable = false
  readonly field: string

  constructor(field: string, message: string) {
    super(`${field}: ${message}`)
    this.field = field
  }
}

const SELECTOR_BYTES = 4
const WORD_BYTES = 32
const TRANSFER = 'a9059cbb'

/** Accept Token that a call moves or may pull, as the Agent counts it. Twin of AgentDispatch.sol, _refusal. */
export function acceptTokenOut(call: {
  readonly target: Address
  readonly data: string
  readonly token: Address
  /** Of `executeWithAllowance`; 0 for `execute`. */
  readonly allowance: bigint
}): bigint {
  const isTransfer = isSameAddress(call.target, call.token) && call.data.slice(2, 10).toLowerCase() === TRANSFER
  return isTransfer && call.data.length === 2 + 2 * 68 ? BigInt(`0x${call.data.slice(74)}`) : call.allowance
}

/**
 * What the Scope would answer to one call, by rules and buckets alone. Twin of Scope.sol, `verdict`: same checks, same order.
 * What an Agent refuses by construction, and a pause, are not judged here.
 * @throws DryRunInputError for data that is not hexadecimal, and for a pinned rule without `targetCodeHash`
 */
export function judgeCall(state: ScopeState, call: ScopedCall): JudgedCall {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(call.data)) throw new DryRunInputError('data', 'expected 0x and whole bytes')
  const data = hexToBytes(call.data.slice(2))
  const key = ruleKeyOf({
    target: call.target,
    selector: data.length < SELECTOR_BYTES ? NO_SELECTOR : `0x${bytesToHex(data.subarray(0, SELECTOR_BYTES))}`,
    plain: data.length === 0,
  })
  const rule = state.rules.find((candidate) => ruleKeyOf(candidate) === key)
  if (rule === undefined) return { verdict: 'NoRule', charges: [] }
  const refusal = judgeRule(rule, state, call, data)
  if (refusal !== undefined) return { rule, charges: [], ...refusal }
  const charges = listCharges(rule, state, call, data, key)
  if (charges === undefined) return { verdict: 'Malformed', rule, charges: [] }
  for (const { charge, bucket } of charges) {
    const verdict = fits(bucket, charge.amount, call.nowSec)
    if (verdict !== undefined) return { verdict, rule, charges: charges.map((item) => item.charge), refusedBy: charge }
  }
  return { verdict: 'Allowed', rule, charges: charges.map((item) => item.charge) }
}

function judgeRule(
  rule: ScopeRule,
  state: ScopeState,
  call: ScopedCall,
  data: Uint8Array,
): { readonly verdict: ScopeVerdict; readonly refusedBy?: Condition } | undefined {
  if (data.length !== 0 && data.length < SELECTOR_BYTES) return { verdict: 'Malformed' }
  if (rule.expiresAt !== 0 && call.nowSec >= BigInt(rule.expiresAt)) return { verdict: 'Expired' }
  if (rule.codeHash !== NO_CODE_HASH) {
    if (call.targetCodeHash === undefined)
      throw new DryRunInputError('targetCodeHash', 'the rule pins the code of its target, so its code hash decides')
    if (call.targetCodeHash.toLowerCase() !== rule.codeHash.toLowerCase()) return { verdict: 'CodeChanged' }
  }
  if (call.value > rule.maxValue) return { verdict: 'ValueTooHigh' }
  if (call.tokenOut > rule.maxTokenOut) return { verdict: 'TokenOutTooHigh' }
  for (const condition of rule.conditions) {
    const verdict = checkCondition(condition, state, call, data)
    if (verdict !== 'Allowed') return { verdict, refusedBy: condition }
  }
  return undefined
}

/** Twin of ScopeConditions.sol, check. */
function checkCondition(
  { offset, op, value }: Condition,
  state: ScopeState,
  call: ScopedCall,
  data: Uint8Array,
): 'Allowed' | 'ConditionFailed' | 'Malformed' {
  const operation = OPERATIONS[op]
  const answer = (holds: boolean) => (holds ? 'Allowed' : 'ConditionFailed')
  const isMember = (set: bigint, member: bigint) =>
    state.members.some((entry) => entry.set === set && entry.member === member)
  if (operation === 'LengthIs') return answer(BigInt(data.length) === value)
  const word = wordAt(data, offset)
  if (word === undefined) return 'Malformed'
  switch (operation) {
    case 'SelfIs':
      return answer(word === BigInt(call.agent))
    case 'Equal':
      return answer(word === value)
    case 'NotEqual':
      return answer(word !== value)
    case 'AtMost':
      return answer(word <= value)
    case 'AtLeast':
      return answer(word >= value)
    case 'HashIs':
      return answer(hashOfWord(word) === value)
    case 'InSet':
      return answer(isMember(value, word))
    case 'EachInSet': {
      const count = word > BigInt(data.length) ? undefined : wordAt(data, Number(word))
      if (count === undefined || count > BigInt(MAX_SET_ELEMENTS)) return 'Malformed'
      for (let index = 1; index <= Number(count); index += 1) {
        const element = wordAt(data, Number(word) + WORD_BYTES * index)
        if (element === undefined) return 'Malformed'
        if (!isMember(value, element)) return 'ConditionFailed'
      }
      return 'Allowed'
    }
    case undefined:
      throw new DryRunInputError('conditions', `operation ${op} is none that the contract has`)
    default:
      return operation satisfies never
  }
}

function wordAt(data: Uint8Array, offset: number): bigint | undefined {
  const start = SELECTOR_BYTES + offset
  return start + WORD_BYTES > data.length
    ? undefined
    : BigInt(`0x${bytesToHex(data.subarray(start, start + WORD_BYTES))}`)
}

type ChargeOn = { readonly charge: Charge; readonly bucket: Bucket | undefined }

/** In the order of the contract: native, Accept Token, the rule's asset, the rule's calls. Undefined: no word to charge. */
function listCharges(
  rule: ScopeRule,
  state: ScopeState,
  call: ScopedCall,
  data: Uint8Array,
  key: `0x${string}`,
): readonly ChargeOn[] | undefined {
  const charges: ChargeOn[] = []
  const addAsset = (asset: Address, amount: bigint) => {
    const bucket = state.caps.find((cap) => isSameAddress(cap.asset, asset))?.bucket
    const available = bucket && availableAt(bucket, call.nowSec)
    charges.push({ bucket, charge: { key: capKeyOf(asset), of: { kind: 'asset', asset }, amount, available } })
  }
  if (call.value !== 0n) addAsset(ZERO_ADDRESS, call.value)
  if (call.tokenOut !== 0n) addAsset(call.token, call.tokenOut)
  if (!isSameAddress(rule.spendAsset, ZERO_ADDRESS)) {
    const amount = wordAt(data, rule.spendOffset)
    if (amount === undefined) return undefined
    // the Accept Token that leaves by this call is charged already
    if (amount !== 0n && (!isSameAddress(rule.spendAsset, call.token) || call.tokenOut === 0n))
      addAsset(rule.spendAsset, amount)
  }
  if (rule.callLimit !== 0) {
    const available = rule.bucket && availableAt(rule.bucket, call.nowSec)
    charges.push({ bucket: rule.bucket, charge: { key, of: { kind: 'calls' }, amount: 1n, available } })
  }
  return charges
}

/** Twin of Scope.sol, _fits. */
function fits(bucket: Bucket | undefined, amount: bigint, nowSec: bigint): ScopeVerdict | undefined {
  if (bucket === undefined) return undefined
  const level = levelAt(bucket, nowSec)
  if (level > bucket.limit || amount > bucket.limit - level) return 'CapExceeded'
  if (bucket.lifetimeLeft !== UINT256_MAX && amount > bucket.lifetimeLeft) return 'LifetimeExceeded'
  return undefined
}

/** What is used at second `nowSec`, rounded up. Twin of ScopeState.sol, _level. */
function levelAt({ limit, periodSec, used, at }: Bucket, nowSec: bigint): bigint {
  const period = BigInt(periodSec)
  if (used === 0n || period === 0n) return used
  const elapsed = nowSec - at >= period ? period : nowSec - at
  const refilled = (limit * elapsed) / period
  return refilled >= used ? 0n : used - refilled
}

/** What may leave now. Twin of Scope.sol, bucketOf. */
function availableAt(bucket: Bucket, nowSec: bigint): bigint {
  const level = levelAt(bucket, nowSec)
  const available = level >= bucket.limit ? 0n : bucket.limit - level
  return bucket.lifetimeLeft < available ? bucket.lifetimeLeft : available
}

function isSameAddress(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
