import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link setAgentGuardian}. */
export type SetAgentGuardianParameters = AgentTarget &
  WriteParameters & {
    /** The zero address for nobody. */
    guardian: Address
  }

const write = defineAgentWrite({
  functionName: 'setGuardian',
  event: 'GuardianUpdated',
  args: ({ guardian }: SetAgentGuardianParameters) => [guardian],
})

/** Names who may brake (pause, tighten, revoke, confirm a rate), as the Owner. Simulates, then sends. */
export const setAgentGuardian = write.send

/** What {@link setAgentGuardian} would do, on the latest state; nothing is sent. */
export const simulateSetAgentGuardian = write.simulate

/** {@link setAgentGuardian}, then waits for the event GuardianUpdated. */
export const setAgentGuardianAndWait = write.sendAndWait
