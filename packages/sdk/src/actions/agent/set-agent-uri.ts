import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link setAgentURI}. */
export type SetAgentURIParameters = AgentTarget &
  WriteParameters & {
    /** At most 8,192 bytes. */
    agentURI: string
  }

const write = defineAgentWrite({
  functionName: 'setAgentURI',
  event: 'AgentURIUpdated',
  args: ({ agentURI }: SetAgentURIParameters) => [agentURI],
})

/** Says where the metadata of the Agent can be found, as the Owner. Simulates, then sends. */
export const setAgentURI = write.send

/** What {@link setAgentURI} would do, on the latest state; nothing is sent. */
export const simulateSetAgentURI = write.simulate

/** {@link setAgentURI}, then waits for the event AgentURIUpdated. */
export const setAgentURIAndWait = write.sendAndWait
