import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { SharesPermit } from './sign-shares-permit.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link permitShares}. */
export type PermitSharesParameters = AgentTarget &
  WriteParameters & {
    permit: SharesPermit
  }

const write = defineAgentWrite({
  functionName: 'permit',
  event: 'Approval',
  args: ({ permit }: PermitSharesParameters) => [
    permit.holder,
    permit.spender,
    permit.sharesAtomic,
    permit.deadlineSec,
    permit.v,
    permit.r,
    permit.s,
  ],
})

/**
 * Approves by the signature of a holder; anyone may send it. Source: ERC-2612. See signSharesPermit. Simulates, then
 * sends.
 */
export const permitShares = write.send

/** What {@link permitShares} would do, on the latest state; nothing is sent. */
export const simulatePermitShares = write.simulate

/** {@link permitShares}, then waits for the event Approval. */
export const permitSharesAndWait = write.sendAndWait
