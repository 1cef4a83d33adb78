import type { WriteParameters } from '../target.ts'
import { defineScopeWrite } from './define-scope-write.ts'
import type { ScopeTarget } from './target.ts'

/** Parameters of {@link removeAllRules}. */
export type RemoveAllRulesParameters = ScopeTarget & WriteParameters

const write = defineScopeWrite({
  functionName: 'removeAllRules',
  event: 'RulesRemoved',
  args: ({ agent }: RemoveAllRulesParameters) => [agent],
})

/** Refuses every call from now on, as the Owner or the guardian. Simulates, then sends. */
export const removeAllRules = write.send

/** What {@link removeAllRules} would do, on the latest state; nothing is sent. */
export const simulateRemoveAllRules = write.simulate

/** {@link removeAllRules}, then waits for the event RulesRemoved. */
export const removeAllRulesAndWait = write.sendAndWait
