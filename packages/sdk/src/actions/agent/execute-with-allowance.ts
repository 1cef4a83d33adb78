import type { Address, Hex } from 'viem'
import type { StoredReasoning } from '../../content/stored-reasoning.ts'
import type { WriteParameters } from '../target.ts'
import { defineReasonedWrite } from './define-reasoned-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link executeWithAllowance}. */
export type ExecuteWithAllowanceParameters = AgentTarget &
  WriteParameters & {
    /** Contract that is called, or account that is paid. */
    target: Address
    /** Native currency of the Agent that goes with the call. */
    valueWei: bigint
    /** Call data; `0x` is a plain payment. */
    data: Hex
    /** Smallest units of the Accept Token, greater than zero. */
    allowanceAtomic: bigint
    /** Record that was stored before; see storeReasoning. */
    reasoning: StoredReasoning
  }

const write = defineReasonedWrite({
  functionName: 'executeWithAllowance',
  event: 'Executed',
  args: ({ target, valueWei, data, allowanceAtomic }: ExecuteWithAllowanceParameters) => [
    target,
    valueWei,
    data,
    allowanceAtomic,
  ],
})

/**
 * As execute, while the target may pull at most an amount of the Accept Token; what it leaves is withdrawn before the
 * call ends. Simulates, then sends.
 */
export const executeWithAllowance = write.send

/**
 * What {@link executeWithAllowance} would do, on the latest state; nothing is sent. `result` is what the target would
 * return.
 */
export const simulateExecuteWithAllowance = write.simulate

/** {@link executeWithAllowance}, then waits for the event Executed. */
export const executeWithAllowanceAndWait = write.sendAndWait
