import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link requestRedeem}. */
export type RequestRedeemParameters = AgentTarget &
  WriteParameters & {
    /** Smallest units of the shares, of which one share has 1e18; greater than zero. */
    sharesAtomic: bigint
  }

const write = defineAgentWrite({
  functionName: 'requestRedeem',
  event: 'RedeemRequested',
  args: ({ sharesAtomic }: RequestRedeemParameters) => [sharesAtomic],
})

/**
 * Escrows shares for Accept Token, at whatever price settlement finds. No approval is needed. Simulates, then sends.
 */
export const requestRedeem = write.send

/** What {@link requestRedeem} would do, on the latest state; nothing is sent. */
export const simulateRequestRedeem = write.simulate

/** {@link requestRedeem}, then waits for the event RedeemRequested. */
export const requestRedeemAndWait = write.sendAndWait
