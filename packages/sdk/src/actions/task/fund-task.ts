import { zeroAddress } from 'viem'
import type { TaskTarget, WriteParameters } from '../target.ts'
import { defineTaskWrite } from './define-task-write.ts'
import { readTask } from './read-task.ts'

/** Parameters of {@link fundTask}. */
export type FundTaskParameters = TaskTarget &
  WriteParameters & {
    /** Smallest units of the tender's asset, greater than zero. */
    amountAtomic: bigint
  }

const write = defineTaskWrite({
  functionName: 'fundTask',
  event: 'TenderFunded',
  args: ({ tokenId, amountAtomic }: FundTaskParameters) => [tokenId, amountAtomic],
  value: async (client, { task, tokenId, amountAtomic }) => {
    const { asset } = await readTask(client, { task }, 'tenderTermsOf', [tokenId])
    return asset === zeroAddress ? amountAtomic : 0n
  },
})

/**
 * Puts money into the vault of a tender; anyone may. Native currency goes with the call; of a token, the task contract
 * must be approved for the amount first (approveAsset). Simulates, then sends.
 */
export const fundTask = write.send

/** What {@link fundTask} would do, on the latest state; nothing is sent. */
export const simulateFundTask = write.simulate

/** {@link fundTask}, then waits for the event TenderFunded. */
export const fundTaskAndWait = write.sendAndWait
