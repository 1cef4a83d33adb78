import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link requestRedeemAtLeast}. */
export type RequestRedeemAtLeastParameters = AgentTarget &
  WriteParameters & {
    /** Smallest units of the shares, of which one share has 1e18; greater than zero. */
    sharesAtomic: bigint
    /**
     * Least Accept Token smallest units per share (per 1e18 share units), fee and rounding included; greater than zero.
     */
    minRate: bigint
  }

const write = defineAgentWrite({
  functionName: 'requestRedeemAtLeast',
  event: 'RedeemRequested',
  args: ({ sharesAtomic, minRate }: RequestRedeemAtLeastParameters) => [sharesAtomic, minRate],
})

/**
 * Escrows shares for Accept Token, and settles at no worse than a rate. No approval is needed. The limit holds for
 * everything that the sender has pending. Simulates, then sends.
 */
export const requestRedeemAtLeast = write.send

/** What {@link requestRedeemAtLeast} would do, on the latest state; nothing is sent. */
export const simulateRequestRedeemAtLeast = write.simulate

/** {@link requestRedeemAtLeast}, then waits for the event RedeemRequested. */
export const requestRedeemAtLeastAndWait = write.sendAndWait
