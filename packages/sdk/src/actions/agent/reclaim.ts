import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link reclaim}. */
export type ReclaimParameters = AgentTarget & WriteParameters

const write = defineAgentWrite({
  functionName: 'reclaim',
  event: 'Reclaimed',
  args: (_: ReclaimParameters) => [],
})

/**
 * Takes back everything of the sender that is still pending once the horizon has passed since the most recent request
 * of each kind. Works while paused, without Executor and without liquidity. Simulates, then sends.
 */
export const reclaim = write.send

/**
 * What {@link reclaim} would do, on the latest state; nothing is sent. `result` is what comes back: Accept Token,
 * shares.
 */
export const simulateReclaim = write.simulate

/** {@link reclaim}, then waits for the event Reclaimed; there is one for each kind in `events`. */
export const reclaimAndWait = write.sendAndWait
