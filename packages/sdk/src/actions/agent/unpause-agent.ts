import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link unpauseAgent}. */
export type UnpauseAgentParameters = AgentTarget & WriteParameters

const write = defineAgentWrite({
  functionName: 'unpause',
  event: 'Unpaused',
  args: (_: UnpauseAgentParameters) => [],
})

/** Ends a pause, as the Owner. Simulates, then sends. */
export const unpauseAgent = write.send

/** What {@link unpauseAgent} would do, on the latest state; nothing is sent. */
export const simulateUnpauseAgent = write.simulate

/** {@link unpauseAgent}, then waits for the event Unpaused. */
export const unpauseAgentAndWait = write.sendAndWait
