import { juryPanelAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { JuryTenderTarget } from './target.ts'

/** Parameters of {@link returnJuryFees}. */
export type ReturnJuryFeesParameters = JuryTenderTarget & WriteParameters

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'returnFees',
  event: 'FeeReturned',
  contract: ({ jury }: ReturnJuryFeesParameters) => jury,
  emitter: ({ jury }) => jury,
  args: ({ task, tokenId }) => [task, tokenId],
})

/** Gives the sponsor what is left of the escrow, once this jury can accept nothing more; anyone may. Simulates, then sends. */
export const returnJuryFees = write.send

/** What {@link returnJuryFees} would do, on the latest state; nothing is sent. */
export const simulateReturnJuryFees = write.simulate

/** {@link returnJuryFees}, then waits for the event FeeReturned. */
export const returnJuryFeesAndWait = write.sendAndWait
