import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link transferShares}. */
export type TransferSharesParameters = AgentTarget &
  WriteParameters & {
    to: Address
    /** One share has 1e18. */
    sharesAtomic: bigint
  }

const write = defineAgentWrite({
  functionName: 'transfer',
  event: 'Transfer',
  args: ({ to, sharesAtomic }: TransferSharesParameters) => [to, sharesAtomic],
})

/** Moves shares of the sender. To the Agent itself is refused: use requestRedeem. Simulates, then sends. */
export const transferShares = write.send

/** What {@link transferShares} would do, on the latest state; nothing is sent. */
export const simulateTransferShares = write.simulate

/** {@link transferShares}, then waits for the event Transfer. */
export const transferSharesAndWait = write.sendAndWait
