export {
  type ListScopeEventsParameters,
  listScopeEvents,
  type WatchScopeEventsParameters,
  watchScopeEvents,
} from './all-scope-events.ts'
export { type CapLoweredEvent, listCapLowered, watchCapLowered } from './cap-lowered.ts'
export type { AnyScopeEvent, ScopeEvent, ScopeEventName, ScopeEventTarget } from './define-scope-event.ts'
export { listMemberRemoved, type MemberRemovedEvent, watchMemberRemoved } from './member-removed.ts'
export { listPolicyApplied, type PolicyAppliedEvent, watchPolicyApplied } from './policy-applied.ts'
export { listPolicyProposed, type PolicyProposedEvent, watchPolicyProposed } from './policy-proposed.ts'
export { listPolicyWithdrawn, type PolicyWithdrawnEvent, watchPolicyWithdrawn } from './policy-withdrawn.ts'
export { listRuleExpirySet, type RuleExpirySetEvent, watchRuleExpirySet } from './rule-expiry-set.ts'
export { listRuleRemoved, type RuleRemovedEvent, watchRuleRemoved } from './rule-removed.ts'
export { listRulesRemoved, type RulesRemovedEvent, watchRulesRemoved } from './rules-removed.ts'
