import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link acceptAgentOwnership}. */
export type AcceptAgentOwnershipParameters = AgentTarget & WriteParameters

const write = defineAgentWrite({
  functionName: 'acceptOwnership',
  event: 'OwnershipTransferred',
  args: (_: AcceptAgentOwnershipParameters) => [],
})

/** Takes the ownership that was offered. Simulates, then sends. */
export const acceptAgentOwnership = write.send

/** What {@link acceptAgentOwnership} would do, on the latest state; nothing is sent. */
export const simulateAcceptAgentOwnership = write.simulate

/** {@link acceptAgentOwnership}, then waits for the event OwnershipTransferred. */
export const acceptAgentOwnershipAndWait = write.sendAndWait
