import type { Hash } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineScopeWrite } from './define-scope-write.ts'
import type { ScopeTarget } from './target.ts'

/** Parameters of {@link removeRule}. */
export type RemoveRuleParameters = ScopeTarget &
  WriteParameters & {
    /** See ruleKeyOf of core. */
    key: Hash
  }

const write = defineScopeWrite({
  functionName: 'removeRule',
  event: 'RuleRemoved',
  args: ({ agent, key }: RemoveRuleParameters) => [agent, key],
})

/** Takes one kind of call out of the boundary at once, as the Owner or the guardian. Simulates, then sends. */
export const removeRule = write.send

/** What {@link removeRule} would do, on the latest state; nothing is sent. */
export const simulateRemoveRule = write.simulate

/** {@link removeRule}, then waits for the event RuleRemoved. */
export const removeRuleAndWait = write.sendAndWait
