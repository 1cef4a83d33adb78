import { SCOPE_VERDICTS, type ScopeVerdict } from '@oikos/core/scope-policy'

/** The verdict of a number in OutOfScope; undefined for a number that is not known here. */
export function scopeVerdictOf(number: number): ScopeVerdict | undefined {
  return SCOPE_VERDICTS[number]
}

/** What a verdict means, as the rest of a sentence: `the call is refused because …`. */
export const scopeVerdictReasons: Readonly<Record<ScopeVerdict, string>> = {
  Allowed: 'nothing speaks against it',
  NoRule: 'no rule allows this function of this target',
  Expired: 'the rule for it has expired',
  CodeChanged: 'the code of the target is not the one that the rule pins',
  ValueTooHigh: 'it sends more native currency than the rule allows in one call',
  TokenOutTooHigh: 'it moves more of the Accept Token than the rule allows in one call',
  Malformed: 'its call data is too short, or not of the form that the rule reads',
  ConditionFailed: 'an argument does not meet a condition of the rule',
  CapExceeded: 'a cap has not enough left now; it refills with time',
  LifetimeExceeded: 'a cap has reached its lifetime; it does not refill',
}
