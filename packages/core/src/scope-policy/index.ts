export { type AmountUnit, describeAmount } from './amount.ts'
export { POLICY_CODES, POLICY_WARNINGS, type PolicyCode, type PolicyWarning } from './codes.ts'
export { type CompiledPolicy, compilePolicy } from './compile.ts'
export { type DecompileOptions, decompilePolicy } from './decompile.ts'
export { describePolicy, type PolicySentence } from './describe.ts'
export { type ChangeKind, comparePolicies, type GovernanceStep, type PolicyChange, type PolicyDiff } from './diff.ts'
export {
  encodePolicyDocument,
  MAX_POLICY_BYTES,
  POLICY_SCHEMA,
  type PolicyCap,
  type PolicyCondition,
  type PolicyDocument,
  type PolicyRule,
  type PolicyValue,
  parsePolicyDocument,
} from './document.ts'
export { PolicyDocumentError } from './errors.ts'
export { acceptTokenOut, type Charge, DryRunInputError, type JudgedCall, judgeCall, type ScopedCall } from './judge.ts'
export {
  type Bucket,
  type Cap,
  type Condition,
  capKeyOf,
  KEEP_DELAY,
  MAX_CHANGE_ITEMS,
  MAX_CONDITIONS,
  MAX_DELAY_SEC,
  MAX_RULES,
  type Member,
  OPERATIONS,
  type Operation,
  openScope,
  type Policy,
  type Rule,
  type RuleReading,
  readRuleKey,
  readScopeRule,
  ruleKeyOf,
  SCOPE_VERDICTS,
  type ScopeCap,
  type ScopeRule,
  type ScopeState,
  type ScopeVerdict,
} from './policy.ts'
export type { PolicyNotice } from './warnings.ts'
