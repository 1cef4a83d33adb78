export { type EnactPolicyParameters, enactPolicy, enactPolicyAndWait, simulateEnactPolicy } from './enact-policy.ts'
export { type ExpireRuleParameters, expireRule, expireRuleAndWait, simulateExpireRule } from './expire-rule.ts'
export { type Boundary, type GetBoundaryParameters, getBoundary, type PendingChange } from './get-boundary.ts'
export { type GetPolicyReadyAtParameters, getPolicyReadyAt } from './get-policy-ready-at.ts'
export { type GetRuleKeysParameters, getRuleKeys } from './get-rule-keys.ts'
export { type GetScopeBoundsParameters, getScopeBounds, type ScopeBounds } from './get-scope-bounds.ts'
export { type GetScopeBucketParameters, getScopeBucket, type ScopeBucket } from './get-scope-bucket.ts'
export { type GetScopeConfigParameters, getScopeConfig, type ScopeConfig } from './get-scope-config.ts'
export { type GetScopeRuleParameters, getScopeRule } from './get-scope-rule.ts'
export { type GetScopeVerdictParameters, getScopeVerdict } from './get-scope-verdict.ts'
export { type IsScopeMemberParameters, isScopeMember } from './is-scope-member.ts'
export { type LowerCapParameters, lowerCap, lowerCapAndWait, simulateLowerCap } from './lower-cap.ts'
export {
  type ProposePolicyParameters,
  proposePolicy,
  proposePolicyAndWait,
  simulateProposePolicy,
} from './propose-policy.ts'
export {
  type RemoveAllRulesParameters,
  removeAllRules,
  removeAllRulesAndWait,
  simulateRemoveAllRules,
} from './remove-all-rules.ts'
export {
  type RemoveMemberParameters,
  removeMember,
  removeMemberAndWait,
  simulateRemoveMember,
} from './remove-member.ts'
export { type RemoveRuleParameters, removeRule, removeRuleAndWait, simulateRemoveRule } from './remove-rule.ts'
export { replayRevision } from './replay-revision.ts'
export { changeIdOf } from './scope-change.ts'
export { scopeVerdictOf, scopeVerdictReasons } from './scope-verdict.ts'
export type { ScopeContractTarget, ScopeTarget } from './target.ts'
export {
  simulateWithdrawPolicy,
  type WithdrawPolicyParameters,
  withdrawPolicy,
  withdrawPolicyAndWait,
} from './withdraw-policy.ts'
