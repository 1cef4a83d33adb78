import { juryPanelAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { OwingTarget } from './target.ts'

/** Parameters of {@link withdrawOwedTo}. */
export type WithdrawOwedToParameters = OwingTarget &
  WriteParameters & {
    /** Token contract; the zero address is the native currency. */
    owedAsset: Address
    /** Who is paid; neither zero nor the companion. */
    to: Address
  }

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'withdrawTo',
  event: 'Withdrawn',
  contract: ({ companion }: WithdrawOwedToParameters) => companion,
  emitter: ({ companion }) => companion,
  args: ({ owedAsset, to }) => [owedAsset, to],
})

/** Has what a companion owes the sender paid to another account. Simulates, then sends. */
export const withdrawOwedTo = write.send

/** What {@link withdrawOwedTo} would do, on the latest state; nothing is sent. */
export const simulateWithdrawOwedTo = write.simulate

/** {@link withdrawOwedTo}, then waits for the event Withdrawn. */
export const withdrawOwedToAndWait = write.sendAndWait
