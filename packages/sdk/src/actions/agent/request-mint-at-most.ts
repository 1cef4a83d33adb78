import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link requestMintAtMost}. */
export type RequestMintAtMostParameters = AgentTarget &
  WriteParameters & {
    /** Smallest units of the Accept Token, greater than zero. */
    amountAtomic: bigint
    /**
     * Most Accept Token smallest units per share (per 1e18 share units), fee and rounding included; greater than zero.
     */
    maxRate: bigint
  }

const write = defineAgentWrite({
  functionName: 'requestMintAtMost',
  event: 'MintRequested',
  args: ({ amountAtomic, maxRate }: RequestMintAtMostParameters) => [amountAtomic, maxRate],
})

/**
 * Deposits Accept Token for shares, and settles at no worse than a rate. The Agent must be approved for the amount
 * first (approveAsset). The limit holds for everything that the sender has pending. Simulates, then sends.
 */
export const requestMintAtMost = write.send

/** What {@link requestMintAtMost} would do, on the latest state; nothing is sent. */
export const simulateRequestMintAtMost = write.simulate

/** {@link requestMintAtMost}, then waits for the event MintRequested. */
export const requestMintAtMostAndWait = write.sendAndWait
