import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link transferSharesFrom}. */
export type TransferSharesFromParameters = AgentTarget &
  WriteParameters & {
    from: Address
    to: Address
    /** One share has 1e18. */
    sharesAtomic: bigint
  }

const write = defineAgentWrite({
  functionName: 'transferFrom',
  event: 'Transfer',
  args: ({ from, to, sharesAtomic }: TransferSharesFromParameters) => [from, to, sharesAtomic],
})

/** Moves shares of a holder who approved the sender. Simulates, then sends. */
export const transferSharesFrom = write.send

/** What {@link transferSharesFrom} would do, on the latest state; nothing is sent. */
export const simulateTransferSharesFrom = write.simulate

/** {@link transferSharesFrom}, then waits for the event Transfer. */
export const transferSharesFromAndWait = write.sendAndWait
