import type { taskVaultAbi } from '@oikos/core/abi'
import type { RevertTable } from './revert-table.ts'
import { taskTokenReverts } from './task-token-reverts.ts'

/** Why a vault refuses a call. */
export const taskVaultReverts: RevertTable<typeof taskVaultAbi> = {
  NotKernel: ({ caller, kernel }, say) => ({
    sentence: `Only the task contract ${say.address(kernel)} can move the money of this vault; the caller is ${say.address(caller)}.`,
    advice: 'Use the task contract: money leaves as a reward, a refund or a residual.',
  }),
  MovedTooMuch: ({ asset, moved, expected }, say) => ({
    sentence: `The token ${say.address(asset)} took ${say.amount(moved)} from the vault where ${say.amount(expected)} were to move.`,
    advice: 'This token cannot be paid out; the transfer was undone.',
  }),
  UnreadableBalance: taskTokenReverts.UnreadableBalance,
}
