import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link renounceAgentOwnership}. */
export type RenounceAgentOwnershipParameters = AgentTarget & WriteParameters

const write = defineAgentWrite({
  functionName: 'renounceOwnership',
  event: 'OwnershipTransferred',
  args: (_: RenounceAgentOwnershipParameters) => [],
})

/**
 * Leaves the Agent without an Owner for ever: its constitution is frozen. Refused while something waits that only an
 * Owner could end. Simulates, then sends.
 */
export const renounceAgentOwnership = write.send

/** What {@link renounceAgentOwnership} would do, on the latest state; nothing is sent. */
export const simulateRenounceAgentOwnership = write.simulate

/** {@link renounceAgentOwnership}, then waits for the event OwnershipTransferred. */
export const renounceAgentOwnershipAndWait = write.sendAndWait
