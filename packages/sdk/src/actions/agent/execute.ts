import type { Address, Hex } from 'viem'
import type { StoredReasoning } from '../../content/stored-reasoning.ts'
import type { WriteParameters } from '../target.ts'
import { defineReasonedWrite } from './define-reasoned-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link execute}. */
export type ExecuteParameters = AgentTarget &
  WriteParameters & {
    /** Contract that is called, or account that is paid. */
    target: Address
    /** Native currency of the Agent that goes with the call. */
    valueWei: bigint
    /** Call data; `0x` is a plain payment. */
    data: Hex
    /** Record that was stored before; see storeReasoning. */
    reasoning: StoredReasoning
  }

const write = defineReasonedWrite({
  functionName: 'execute',
  event: 'Executed',
  args: ({ target, valueWei, data }: ExecuteParameters) => [target, valueWei, data],
})

/**
 * Lets the Agent make a call inside its Scope, as an Executor. An allowance on the Accept Token needs
 * executeWithAllowance. Simulates, then sends.
 */
export const execute = write.send

/** What {@link execute} would do, on the latest state; nothing is sent. `result` is what the target would return. */
export const simulateExecute = write.simulate

/** {@link execute}, then waits for the event Executed. */
export const executeAndWait = write.sendAndWait
