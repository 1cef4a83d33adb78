import { type FunctionSignature, ZERO_ADDRESS } from '../call-data/index.ts'
import { type Findings, noFindings, report, shown } from '../task-package/findings.ts'
import type { JsonValue } from '../task-package/json.ts'
import { readCall } from './call.ts'
import type { PolicyCode } from './codes.ts'
import { compileCondition, placeOf, readWord } from './conditions.ts'
import { KEEP, matchesDocument, NEVER, type PolicyCap, type PolicyDocument, type PolicyRule } from './document.ts'
import { PolicyDocumentError } from './errors.ts'
import { type Names, readNames, shownValue } from './names.ts'
import {
  type Cap,
  type Condition,
  KEEP_DELAY,
  MAX_CHANGE_ITEMS,
  MAX_CONDITIONS,
  MAX_DELAY_SEC,
  MAX_RULES,
  type Member,
  NO_CODE_HASH,
  type Policy,
  type Rule,
  ruleKeyOf,
  UINT40_MAX,
  UINT128_MAX,
  UINT256_MAX,
} from './policy.ts'
import { listWarnings, type PolicyNotice } from './warnings.ts'

/** A policy as the contract takes it, and what a careful Owner would want to know about it. */
export type CompiledPolicy = { readonly policy: Policy; readonly warnings: readonly PolicyNotice[] }

/**
 * Compiles a document to the `Policy` of IScope.sol: rules, caps and members in the document's order. Nothing is rounded,
 * nothing is guessed.
 * @throws PolicyDocumentError with everything that is wrong, each with its place and a remedy
 */
export function compilePolicy(document: PolicyDocument): CompiledPolicy {
  const findings = noFindings<PolicyCode>()
  if (!matchesDocument(document as unknown as JsonValue, findings)) throw new PolicyDocumentError(findings)
  const names = readNames(document, findings)
  const rules = document.rules.map((rule, index) => compileRule(rule, names, `rules[${index}]`, findings))
  const caps = (document.caps ?? []).map((cap, index) => compileCap(cap, names, `caps[${index}]`))
  const members = compileSets(document, names, findings)
  const delaySec = compileDelay(document.delay, names, findings)
  findTwins(rules, (rule) => ruleKeyOf(rule), 'rules', 'rule.duplicate', findings)
  findTwins(caps, (cap) => cap.asset, 'caps', 'cap.duplicate', findings)
  const items = rules.length + caps.length + members.length
  if (rules.length > MAX_RULES)
    report(findings, 'policy.too-many', 'rules', `${rules.length} rules, expected ${MAX_RULES} or fewer`)
  if (items > MAX_CHANGE_ITEMS)
    report(
      findings,
      'policy.too-many',
      'document',
      `${items} rules, caps and members together, expected ${MAX_CHANGE_ITEMS} or fewer; make the rest a later change`,
    )
  if (findings.list.length > 0) throw new PolicyDocumentError(findings)
  const policy = { rules: present(rules), caps: present(caps), members, delaySec }
  return { policy, warnings: listWarnings(policy, document, names) }
}

function present<T>(items: readonly (T | undefined)[]): readonly T[] {
  return items.filter((item) => item !== undefined)
}

function compileDelay(text: string, names: Names, findings: Findings<PolicyCode>): number {
  if (text === KEEP) return KEEP_DELAY
  const seconds = names.duration(text, Number.MAX_SAFE_INTEGER, 'delay') ?? 0
  if (seconds > MAX_DELAY_SEC)
    report(findings, 'delay.too-long', 'delay', `${shown(text)}, expected 30 days or less, or "${KEEP}"`)
  return seconds
}

function compileRule(rule: PolicyRule, names: Names, where: string, findings: Findings<PolicyCode>): Rule | undefined {
  const target = names.address(rule.to, `${where}.to`)
  const call = readCall(rule.call, `${where}.call`, findings)
  if (call === undefined) return undefined
  const { selector, signature, plain } = call
  const when = rule.when ?? []
  if (plain && (when.length > 0 || rule.charge !== undefined || rule.perCall?.acceptToken !== undefined))
    report(
      findings,
      'rule.plain',
      where,
      'a plain payment has no arguments and moves no token: keep only perCall.native',
    )
  if (when.length > MAX_CONDITIONS)
    report(findings, 'condition.too-many', `${where}.when`, `${when.length}, expected ${MAX_CONDITIONS} or fewer`)
  const conditions = when.map((condition, index) =>
    compileCondition(condition, signature, names, `${where}.when[${index}]`, findings),
  )
  const charge = compileCharge(rule, signature, names, `${where}.charge`, findings)
  const limits = compilePerCall(rule, names, `${where}.perCall`, findings)
  const refill = rule.calls?.refill
  const callPeriodSec =
    refill === undefined || refill === NEVER ? 0 : (names.duration(refill, UINT40_MAX, `${where}.calls.refill`) ?? 0)
  const expiresAt = rule.until === undefined ? 0 : (names.moment(rule.until, UINT40_MAX, `${where}.until`) ?? 0)
  if (target === undefined) return undefined
  return {
    target,
    selector,
    plain,
    expiresAt,
    ...limits,
    codeHash: rule.codeHash === undefined ? NO_CODE_HASH : (rule.codeHash.toLowerCase() as `0x${string}`),
    ...charge,
    callLimit: Number(rule.calls?.limit ?? 0),
    callPeriodSec,
    conditions: present<Condition>(conditions),
  }
}

function compileCharge(
  { charge }: PolicyRule,
  signature: FunctionSignature | undefined,
  names: Names,
  where: string,
  findings: Findings<PolicyCode>,
): Pick<Rule, 'spendAsset' | 'spendOffset'> {
  const none = { spendAsset: ZERO_ADDRESS, spendOffset: 0 }
  if (charge === undefined) return none
  const asset = names.asset(charge.asset, `${where}.asset`)
  const place = placeOf(charge, signature, where, findings)
  if (asset?.address === ZERO_ADDRESS)
    report(
      findings,
      'asset.unknown',
      `${where}.asset`,
      'native currency is charged by itself; charge a token, or nothing',
    )
  if (place?.type !== undefined && !place.type.text.startsWith('uint'))
    report(findings, 'condition.parameter', where, `an amount is an unsigned integer, and this is ${place.type.text}`)
  return asset === undefined || place === undefined ? none : { spendAsset: asset.address, spendOffset: place.offset }
}

function compilePerCall(
  { perCall = {} }: PolicyRule,
  names: Names,
  where: string,
  findings: Findings<PolicyCode>,
): Pick<Rule, 'maxValue' | 'maxTokenOut'> {
  const native = [...names.assets.values()].find(({ address }) => address === ZERO_ADDRESS)
  let [maxValue, maxTokenOut] = [0n, 0n]
  if (perCall.native !== undefined && native !== undefined)
    maxValue = names.amount(perCall.native, native, UINT128_MAX, `${where}.native`) ?? 0n
  if (perCall.native !== undefined && native === undefined)
    report(findings, 'asset.unknown', `${where}.native`, 'ETH names a token here; name the native currency in assets')
  if (perCall.acceptToken !== undefined && names.acceptToken === undefined)
    report(findings, 'asset.unknown', `${where}.acceptToken`, 'say in acceptToken which of assets it is')
  if (perCall.acceptToken !== undefined && names.acceptToken !== undefined)
    maxTokenOut = names.amount(perCall.acceptToken, names.acceptToken, UINT256_MAX, `${where}.acceptToken`) ?? 0n
  return { maxValue, maxTokenOut }
}

function compileCap(cap: PolicyCap, names: Names, where: string): Cap | undefined {
  const asset = names.asset(cap.asset, `${where}.asset`)
  const periodSec = cap.refill === NEVER ? 0 : names.duration(cap.refill, UINT40_MAX, `${where}.refill`)
  if (asset === undefined) return undefined
  const limit = names.amount(cap.limit, asset, UINT128_MAX, `${where}.limit`)
  const lifetime =
    cap.lifetime === undefined ? UINT256_MAX : names.amount(cap.lifetime, asset, UINT256_MAX, `${where}.lifetime`)
  if (limit === undefined || lifetime === undefined || periodSec === undefined) return undefined
  return { asset: asset.address, limit, periodSec, lifetime }
}

function compileSets(document: PolicyDocument, names: Names, findings: Findings<PolicyCode>): readonly Member[] {
  const members: Member[] = []
  for (const [name, { members: values }] of Object.entries(document.sets ?? {})) {
    const set = names.sets.get(name)
    const seen = new Set<bigint>()
    for (const [index, value] of values.entries()) {
      const where = `sets.${name}.members[${index}]`
      const member = readWord(value, undefined, names)
      if (typeof member === 'string') report(findings, 'set.member', where, `${shownValue(value)}: ${member}`)
      else if (seen.has(member)) report(findings, 'set.member', where, `${shownValue(value)} is listed twice`)
      else {
        seen.add(member)
        if (set !== undefined) members.push({ set, member })
      }
    }
  }
  return members
}

function findTwins<T>(
  items: readonly (T | undefined)[],
  keyOf: (item: T) => string,
  where: string,
  code: PolicyCode,
  findings: Findings<PolicyCode>,
): void {
  const first = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    if (item === undefined) continue
    const key = keyOf(item)
    const twin = first.get(key)
    if (twin === undefined) first.set(key, index)
    else report(findings, code, `${where}[${index}]`, `${where}[${twin}] is for the same; merge them`)
  }
}
