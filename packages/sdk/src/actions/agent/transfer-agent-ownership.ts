import type { Address } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAgentWrite } from './define-agent-write.ts'
import type { AgentTarget } from './target.ts'

/** Parameters of {@link transferAgentOwnership}. */
export type TransferAgentOwnershipParameters = AgentTarget &
  WriteParameters & {
    /** The zero address withdraws an offer. */
    newOwner: Address
  }

const write = defineAgentWrite({
  functionName: 'transferOwnership',
  event: 'OwnershipTransferStarted',
  args: ({ newOwner }: TransferAgentOwnershipParameters) => [newOwner],
})

/** Offers the ownership to an account, as the Owner; it changes when that account accepts. Simulates, then sends. */
export const transferAgentOwnership = write.send

/** What {@link transferAgentOwnership} would do, on the latest state; nothing is sent. */
export const simulateTransferAgentOwnership = write.simulate

/** {@link transferAgentOwnership}, then waits for the event OwnershipTransferStarted. */
export const transferAgentOwnershipAndWait = write.sendAndWait
