import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link reclaimShares}. */
export type ReclaimSharesParameters = AgentTarget & WriteParameters

const write = defineAgentWrite({
  functionName: 'reclaimShares',
  event: 'Reclaimed',
  args: (_: ReclaimSharesParameters) => [],
})

/** As reclaim, the shares alone: for a requester to whom the Accept Token refuses to pay. Simulates, then sends. */
export const reclaimShares = write.send

/** What {@link reclaimShares} would do, on the latest state; nothing is sent. `result` is the shares. */
export const simulateReclaimShares = write.simulate

/** {@link reclaimShares}, then waits for the event Reclaimed. */
export const reclaimSharesAndWait = write.sendAndWait
