import { juryPanelAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { OwingTarget } from './target.ts'

/** Parameters of {@link withdrawOwed}. */
export type WithdrawOwedParameters = OwingTarget &
  WriteParameters & {
    /** Token contract; the zero address is the native currency. */
    owedAsset: Address
    /** Who is owed and is paid. */
    owner: Address
  }

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'withdraw',
  event: 'Withdrawn',
  contract: ({ companion }: WithdrawOwedParameters) => companion,
  emitter: ({ companion }) => companion,
  args: ({ owedAsset, owner }) => [owedAsset, owner],
})

/** Has an account paid what a companion owes it; anyone may. Simulates, then sends. */
export const withdrawOwed = write.send

/** What {@link withdrawOwed} would do, on the latest state; nothing is sent. */
export const simulateWithdrawOwed = write.simulate

/** {@link withdrawOwed}, then waits for the event Withdrawn. */
export const withdrawOwedAndWait = write.sendAndWait
