import type { Address } from 'viem'
import type { StoredReasoning } from '../../content/stored-reasoning.ts'
import type { WriteParameters } from '../target.ts'
import { defineReasonedWrite } from './define-reasoned-write.ts'
import { type RequestKind, requestKindNumber } from './request-kind.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link declineRequest}. */
export type DeclineRequestParameters = AgentTarget &
  WriteParameters & {
    /** Whose request is declined. */
    requester: Address
    kind: RequestKind
    /** Record that was stored before; see storeReasoning. */
    reasoning: StoredReasoning
  }

const write = defineReasonedWrite({
  functionName: 'decline',
  event: 'Reclaimed',
  args: ({ requester, kind }: DeclineRequestParameters) => [requester, requestKindNumber(kind)],
})

/** Gives the pending part of a request back at once, as an Executor. Simulates, then sends. */
export const declineRequest = write.send

/** What {@link declineRequest} would do, on the latest state; nothing is sent. */
export const simulateDeclineRequest = write.simulate

/** {@link declineRequest}, then waits for the event Reclaimed. */
export const declineRequestAndWait = write.sendAndWait
