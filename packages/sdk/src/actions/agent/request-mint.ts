import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link requestMint}. */
export type RequestMintParameters = AgentTarget &
  WriteParameters & {
    /** Smallest units of the Accept Token, greater than zero. */
    amountAtomic: bigint
  }

const write = defineAgentWrite({
  functionName: 'requestMint',
  event: 'MintRequested',
  args: ({ amountAtomic }: RequestMintParameters) => [amountAtomic],
})

/**
 * Deposits Accept Token for shares, at whatever price settlement finds. The Agent must be approved for the amount first
 * (approveAsset). Simulates, then sends.
 */
export const requestMint = write.send

/** What {@link requestMint} would do, on the latest state; nothing is sent. */
export const simulateRequestMint = write.simulate

/** {@link requestMint}, then waits for the event MintRequested. */
export const requestMintAndWait = write.sendAndWait
