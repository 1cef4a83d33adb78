import { ZERO_ADDRESS } from '../call-data/index.ts'
import { type Findings, noFindings } from '../task-package/findings.ts'
import { type AmountUnit, describeAmount, readAmount } from './amount.ts'
import { readCall } from './call.ts'
import type { PolicyCode } from './codes.ts'
import { compilePolicy } from './compile.ts'
import {
  KEEP,
  NEVER,
  type PolicyCap,
  type PolicyCondition,
  type PolicyDocument,
  type PolicyRule,
  type PolicyValue,
  UNLIMITED,
} from './document.ts'
import { type Names, readNames } from './names.ts'

/** A sentence about one item of a document. It holds names of the document, no free text. */
export type PolicySentence = { readonly where: string; readonly text: string }

/**
 * The policy in plain sentences, in the order of the document, closing with what holds for everything else.
 * @throws PolicyDocumentError for a document that does not compile
 */
export function describePolicy(document: PolicyDocument): readonly PolicySentence[] {
  compilePolicy(document)
  const findings = noFindings<PolicyCode>()
  const names = readNames(document, findings)
  return [
    ...document.rules.map((rule, index) => ({
      where: `rules[${index}]`,
      text: describeRule(rule, names, `rules[${index}]`, findings),
    })),
    ...(document.caps ?? []).map((cap, index) => ({ where: `caps[${index}]`, text: describeCap(cap, names) })),
    ...Object.entries(document.sets ?? {}).map(([name, { members }]) => ({
      where: `sets.${name}`,
      text: `The set ${name} is ${members.length === 0 ? 'empty' : list(members.map((value) => describeValue(value, names)))}.`,
    })),
    { where: 'rules', text: 'Everything else is refused.' },
    { where: 'delay', text: describeDelay(document.delay) },
  ]
}

function describeDelay(delay: string): string {
  const when = delay === KEEP ? 'after the delay that is set' : delay === '0 seconds' ? 'at once' : `after ${delay}`
  return `What the Owner loosens takes effect ${when}; what the Owner or the guardian tightens, at once.`
}

function describeRule(rule: PolicyRule, names: Names, where: string, findings: Findings<PolicyCode>): string {
  const { perCall, charge, calls } = rule
  const call = readCall(rule.call, where, findings)
  const native = [...names.assets.values()].find(({ address }) => address === ZERO_ADDRESS)
  const taken = [
    ...(perCall?.native === undefined ? [] : [describeBound(perCall.native, native, 'native currency')]),
    ...(perCall?.acceptToken === undefined
      ? []
      : [describeBound(perCall.acceptToken, names.acceptToken, 'Accept Token')]),
  ]
  const clauses: string[] = []
  if (rule.when !== undefined && rule.when.length > 0)
    clauses.push(` if ${list(rule.when.map((condition) => describeCondition(condition, names)))}`)
  if (taken.length > 0 && call?.plain !== true) clauses.push(`, taking along ${list(taken)} per call`)
  if (charge !== undefined) clauses.push(`, counting ${describePlace(charge)} against the cap of ${charge.asset}`)
  if (calls !== undefined) clauses.push(`, at most ${describeCount(calls.limit)} ${describeRefill(calls.refill)}`)
  if (rule.until !== undefined) clauses.push(`, until ${rule.until}`)
  if (rule.codeHash !== undefined) clauses.push(`, only while its code hash is ${rule.codeHash}`)
  const what =
    call?.plain === true
      ? `May pay ${taken.length === 0 ? 'nothing' : list(taken)} at a time to ${rule.to}`
      : `May call ${call?.signature?.name ?? rule.call} on ${rule.to}`
  return `${what}${clauses.join('')}.`
}

function describeCount(limit: number): string {
  return limit === 1 ? '1 call at once' : `${limit} calls at once`
}

function describeRefill(refill: string): string {
  return refill === NEVER ? 'and never again' : `refilled evenly over ${refill}`
}

function describeBound(text: string, unit: AmountUnit | undefined, name: string): string {
  if (text === UNLIMITED || unit === undefined) return `any amount of ${unit?.symbol ?? name}`
  const read = readAmount(text, unit)
  return `at most ${read.ok ? describeAmount(read.atomic, unit) : text}`
}

function describeCap(cap: PolicyCap, names: Names): string {
  const unit = names.assets.get(cap.asset)
  const read = unit && readAmount(cap.limit, unit)
  const inAll =
    cap.lifetime === undefined || unit === undefined
      ? ''
      : `, and ${describeBound(cap.lifetime, unit, cap.asset)} in all since the cap was set`
  if (unit === undefined || read?.ok !== true) return `Any amount of ${cap.asset} may leave at once${inAll}.`
  const limit = describeAmount(read.atomic, unit)
  if (cap.refill === NEVER) return `Over all rules, at most ${limit} leave, and never more${inAll}.`
  const twice = describeAmount(read.atomic * 2n, unit)
  return `Over all rules, at most ${limit} leave at once; what left is refilled evenly over ${cap.refill}, so at most ${twice} leave in any ${cap.refill}${inAll}.`
}

function describePlace({ parameter, offset }: { readonly parameter?: string; readonly offset?: number }): string {
  return parameter ?? `the word at byte ${offset ?? 0}`
}

function describeCondition(condition: PolicyCondition, names: Names): string {
  const place = describePlace(condition)
  const value = (given: PolicyValue) => describeValue(given, names)
  if (condition.length !== undefined) return `the call has ${condition.length} bytes`
  if (condition.is !== undefined) return `${place} is the Agent`
  if (condition.equals !== undefined) return `${place} is ${value(condition.equals)}`
  if (condition.not !== undefined) return `${place} is not ${value(condition.not)}`
  if (condition.atMost !== undefined) return `${place} is at most ${value(condition.atMost)}`
  if (condition.atLeast !== undefined) return `${place} is at least ${value(condition.atLeast)}`
  if (condition.in !== undefined) return `${place} is in the set ${condition.in}`
  if (condition.eachIn !== undefined) return `each of ${place} is in the set ${condition.eachIn}`
  return `the hash of ${place} begins with ${condition.hashIs ?? ''}`
}

function describeValue(value: PolicyValue, names: Names): string {
  if (typeof value !== 'string') return String(value)
  const unit = names.assets.get(value.split(' ')[1] ?? '')
  const read = unit && readAmount(value, unit)
  return unit !== undefined && read?.ok === true ? describeAmount(read.atomic, unit) : value
}

function list(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
