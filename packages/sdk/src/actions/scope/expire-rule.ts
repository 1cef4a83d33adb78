import type { Hash } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineScopeWrite } from './define-scope-write.ts'
import type { ScopeTarget } from './target.ts'

/** Parameters of {@link expireRule}. */
export type ExpireRuleParameters = ScopeTarget &
  WriteParameters & {
    /** See ruleKeyOf of core. */
    key: Hash
    /** Second from which it allows nothing; greater than zero and before what is set. */
    expiresAtSec: number
  }

const write = defineScopeWrite({
  functionName: 'expireRule',
  event: 'RuleExpirySet',
  args: ({ agent, key, expiresAtSec }: ExpireRuleParameters) => [agent, key, expiresAtSec],
})

/** Lets a rule end earlier than it would, as the Owner or the guardian. Simulates, then sends. */
export const expireRule = write.send

/** What {@link expireRule} would do, on the latest state; nothing is sent. */
export const simulateExpireRule = write.simulate

/** {@link expireRule}, then waits for the event RuleExpirySet. */
export const expireRuleAndWait = write.sendAndWait
