import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link pauseAgent}. */
export type PauseAgentParameters = AgentTarget & WriteParameters

const write = defineAgentWrite({
  functionName: 'pause',
  event: 'Paused',
  args: (_: PauseAgentParameters) => [],
})

/**
 * Stops deposits, settlement and execution, as the Owner or the guardian. Redemption requests, claims, reclaim and
 * views go on. Simulates, then sends.
 */
export const pauseAgent = write.send

/** What {@link pauseAgent} would do, on the latest state; nothing is sent. */
export const simulatePauseAgent = write.simulate

/** {@link pauseAgent}, then waits for the event Paused. */
export const pauseAgentAndWait = write.sendAndWait
