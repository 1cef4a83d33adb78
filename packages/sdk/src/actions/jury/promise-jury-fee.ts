import { juryPanelAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { JuryTenderTarget } from './target.ts'

/** Parameters of {@link promiseJuryFee}. */
export type PromiseJuryFeeParameters = JuryTenderTarget &
  WriteParameters & {
    /** Token contract; the zero address is the native currency. */
    feeAsset: Address
    /** Smallest units for each accepted delivery, shared by who voted on it; greater than zero. */
    feeAtomic: bigint
  }

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'promiseFee',
  event: 'FeePromised',
  contract: ({ jury }: PromiseJuryFeeParameters) => jury,
  emitter: ({ jury }) => jury,
  args: ({ task, tokenId, feeAsset, feeAtomic }) => [task, tokenId, feeAsset, feeAtomic],
})

/** Promises the jurors a fee for each delivery that they accept, once, as the update authority of the tender. Simulates, then sends. */
export const promiseJuryFee = write.send

/** What {@link promiseJuryFee} would do, on the latest state; nothing is sent. */
export const simulatePromiseJuryFee = write.simulate

/** {@link promiseJuryFee}, then waits for the event FeePromised. */
export const promiseJuryFeeAndWait = write.sendAndWait
