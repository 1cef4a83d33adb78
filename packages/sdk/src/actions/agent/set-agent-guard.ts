import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link setAgentGuard}. */
export type SetAgentGuardParameters = AgentTarget &
  WriteParameters & {
    /** Most that the rate of a settlement may move, in basis points a day; 0 for no corridor. At most 1,000,000. */
    corridorBpsPerDay: number
    /** Least age of a request when it is settled; at most 7 days and the reclaim horizon. */
    minRequestAgeSec: number
  }

const write = defineAgentWrite({
  functionName: 'setGuard',
  event: 'GuardUpdated',
  args: ({ corridorBpsPerDay, minRequestAgeSec }: SetAgentGuardParameters) => [corridorBpsPerDay, minRequestAgeSec],
})

/** Sets the guards on the settlement price, as the Owner. Simulates, then sends. */
export const setAgentGuard = write.send

/** What {@link setAgentGuard} would do, on the latest state; nothing is sent. */
export const simulateSetAgentGuard = write.simulate

/** {@link setAgentGuard}, then waits for the event GuardUpdated. */
export const setAgentGuardAndWait = write.sendAndWait
