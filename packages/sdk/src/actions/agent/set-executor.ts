import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link setExecutor}. */
export type SetExecutorParameters = AgentTarget &
  WriteParameters & {
    executor: Address
    isEnabled: boolean
  }

const write = defineAgentWrite({
  functionName: 'setExecutor',
  event: 'ExecutorUpdated',
  args: ({ executor, isEnabled }: SetExecutorParameters) => [executor, isEnabled],
})

/** Lets an account act for the Agent, or no longer, as the Owner. Simulates, then sends. */
export const setExecutor = write.send

/** What {@link setExecutor} would do, on the latest state; nothing is sent. */
export const simulateSetExecutor = write.simulate

/** {@link setExecutor}, then waits for the event ExecutorUpdated. */
export const setExecutorAndWait = write.sendAndWait
