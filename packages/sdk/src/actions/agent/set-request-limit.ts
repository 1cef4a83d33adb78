import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import { type RequestKind, requestKindNumber } from './request-kind.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link setRequestLimit}. */
export type SetRequestLimitParameters = AgentTarget &
  WriteParameters & {
    kind: RequestKind
    /** Most (mint) or least (redeem) Accept Token smallest units per share; 0 for any. */
    rate: bigint
  }

const write = defineAgentWrite({
  functionName: 'setLimit',
  event: 'LimitSet',
  args: ({ kind, rate }: SetRequestLimitParameters) => [requestKindNumber(kind), rate],
})

/** Sets the worst rate for what the sender has pending; it lives as long as that. Simulates, then sends. */
export const setRequestLimit = write.send

/** What {@link setRequestLimit} would do, on the latest state; nothing is sent. */
export const simulateSetRequestLimit = write.simulate

/** {@link setRequestLimit}, then waits for the event LimitSet. */
export const setRequestLimitAndWait = write.sendAndWait
