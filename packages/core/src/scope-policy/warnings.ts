import { ZERO_ADDRESS } from '../call-data/index.ts'
import { noFindings } from '../task-package/findings.ts'
import { readCall } from './call.ts'
import type { PolicyCode, PolicyWarning } from './codes.ts'
import type { PolicyDocument, PolicyRule } from './document.ts'
import type { Names } from './names.ts'
import { OPERATIONS, type Policy, type Rule } from './policy.ts'
import { listWords } from './words.ts'

/** Something that a policy allows although a careful Owner would hardly want it. */
export type PolicyNotice = { readonly code: PolicyWarning; readonly where: string; readonly message: string }

/** Names that parameters usually have which say who receives, or who may take. */
const RECIPIENTS = /^_?(?:to|dst|receiver|recipient|beneficiary|onbehalfof|spender|guy|operator)_?$/i
const AMOUNTS = /^_?(?:amount|value|wad|assets|shares|addedvalue)_?$/i
const APPROVALS: ReadonlySet<string> = new Set(['approve', 'increaseAllowance', 'permit', 'setApprovalForAll'])

/** Reads a compiled policy as a careful Owner would; order of the document. */
export function listWarnings(policy: Policy, document: PolicyDocument, names: Names): readonly PolicyNotice[] {
  const notices: PolicyNotice[] = []
  const capped = new Set(policy.caps.map(({ asset }) => asset))
  for (const [index, rule] of policy.rules.entries()) {
    const where = `rules[${index}]`
    const source = document.rules[index]
    if (rule.maxTokenOut > 0n && (names.acceptToken === undefined || !capped.has(names.acceptToken.address)))
      notices.push({
        code: 'uncapped.accept-token',
        where: `${where}.perCall.acceptToken`,
        message: 'each call is bounded and the sum of all calls is not; add a cap for the Accept Token',
      })
    if (rule.maxValue > 0n && !capped.has(ZERO_ADDRESS))
      notices.push({
        code: 'uncapped.native',
        where: `${where}.perCall.native`,
        message: 'each call is bounded and the sum of all calls is not; add a cap for the native currency',
      })
    if (rule.spendAsset !== ZERO_ADDRESS && !capped.has(rule.spendAsset))
      notices.push({ code: 'uncapped.charge', where: `${where}.charge`, message: 'add a cap for this asset' })
    if (source !== undefined) notices.push(...openParameters(rule, source, where))
  }
  return notices
}

function openParameters(rule: Rule, source: PolicyRule, where: string): readonly PolicyNotice[] {
  const signature = readCall(source.call, where, noFindings<PolicyCode>())?.signature
  if (signature === undefined) return []
  const notices: PolicyNotice[] = []
  const bound = new Set(rule.conditions.filter(({ op }) => OPERATIONS[op] !== 'NotEqual').map(({ offset }) => offset))
  for (const { path, offset, type } of listWords(signature)) {
    const name = path.split('.').at(-1) ?? path
    if (type.text === 'address' && RECIPIENTS.test(name) && !bound.has(offset))
      notices.push({
        code: 'open.recipient',
        where: `${where}.when`,
        message: `${path} may be anybody; add {"parameter":"${path}","is":"the agent"} or name a set`,
      })
    const isCharged = rule.spendAsset !== ZERO_ADDRESS && rule.spendOffset === offset
    if (APPROVALS.has(signature.name) && AMOUNTS.test(name) && !bound.has(offset) && !isCharged)
      notices.push({
        code: 'open.amount',
        where: `${where}.when`,
        message: `${path} may be any amount; bound or charge it`,
      })
  }
  return notices
}
