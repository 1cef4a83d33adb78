import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link revokeExecutor}. */
export type RevokeExecutorParameters = AgentTarget &
  WriteParameters & {
    executor: Address
  }

const write = defineAgentWrite({
  functionName: 'revokeExecutor',
  event: 'ExecutorUpdated',
  args: ({ executor }: RevokeExecutorParameters) => [executor],
})

/** Takes an Executor's power away at once, as the Owner or the guardian. Simulates, then sends. */
export const revokeExecutor = write.send

/** What {@link revokeExecutor} would do, on the latest state; nothing is sent. */
export const simulateRevokeExecutor = write.simulate

/** {@link revokeExecutor}, then waits for the event ExecutorUpdated. */
export const revokeExecutorAndWait = write.sendAndWait
