import type { Address } from 'viem'
import type { ContractTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'

/** Parameters of {@link setTaskApprovalForAll}. */
export type SetTaskApprovalForAllParameters = ContractTarget &
  WriteParameters & {
    /** Other than zero. */
    operator: Address
    /** True to allow, false to end it. */
    approved: boolean
  }

const write = defineTaskWrite({
  functionName: 'setApprovalForAll',
  event: 'ApprovalForAll',
  args: ({ operator, approved }: SetTaskApprovalForAllParameters) => [operator, approved],
})

/** Lets an operator move all tokens of the sender. Source: ERC-721, setApprovalForAll. Simulates, then sends. */
export const setTaskApprovalForAll = write.send

/** What {@link setTaskApprovalForAll} would do, on the latest state; nothing is sent. */
export const simulateSetTaskApprovalForAll = write.simulate

/** {@link setTaskApprovalForAll}, then waits for the event ApprovalForAll. */
export const setTaskApprovalForAllAndWait = write.sendAndWait
